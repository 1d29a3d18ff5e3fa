package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Reasoned;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.List;

/** What becomes of a claim. */
public sealed interface ClaimDecision {
  /** Bind it to the volume, or finish a binding: only what differs is written. */
  record Bind(Volume volume) implements ClaimDecision {}

  /**
   * The search for a volume has looked at enough for one time: others first, then go on with it.
   */
  record SearchOn() implements ClaimDecision {}

  /** Give it the default class and look again. */
  record TakeDefaultClass(String className) implements ClaimDecision {}

  /** A plugin of ours makes a volume. */
  record Provision(StorageClass storageClass, String plugin) implements ClaimDecision {}

  /** Somebody else makes a volume: mark the claim for them. */
  record HandOver(StorageClass storageClass, String provisioner) implements ClaimDecision {}

  /** The node that was chosen for it is gone: it is to be forgotten, or another one chosen. */
  record Reselect(String node) implements ClaimDecision {}

  /** It waits. */
  record Wait(Reason why, String note, boolean setPending) implements ClaimDecision, Reasoned {}

  /** Nothing is done, and nobody is told: {@code explain} says why. */
  record Leave(Unspoken why) implements ClaimDecision, Reasoned {}

  /** It asks for a copy, which the plugin that would make its volume cannot make. */
  record RefuseCopy(String plugin, String note) implements ClaimDecision {}

  /** It has lost its volume. */
  record MarkLost(Reason why, String note) implements ClaimDecision, Reasoned {}

  /**
   * Its state contradicts itself in a way that only others can mend: tell, change nothing, try
   * again.
   */
  record Contradiction(Reason why, String note) implements ClaimDecision, Reasoned {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements ClaimDecision, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server knows better than the caches: nothing is done before they have caught up. */
  record AwaitCache(String what) implements ClaimDecision {}

  /** The server gave no answer: nothing is done, and it is asked again. */
  record CannotTell(String why) implements ClaimDecision {}
}
