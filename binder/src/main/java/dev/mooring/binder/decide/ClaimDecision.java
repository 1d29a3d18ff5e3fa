package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Reasoned;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.List;

/** Next step for a claim. */
public sealed interface ClaimDecision {
  /** Bind the claim to the volume, or finish the binding. Only what differs is written. */
  record Bind(Volume volume) implements ClaimDecision {}

  /** The search has used up its steps. It continues after other claims had their turn. */
  record ContinueSearch() implements ClaimDecision {}

  record TakeDefaultClass(String className) implements ClaimDecision {}

  record Provision(StorageClass storageClass, String plugin) implements ClaimDecision {}

  /** Another process provisions the volume: write its name to the claim. */
  record HandOver(StorageClass storageClass, String provisioner) implements ClaimDecision {}

  /** The selected node is gone: remove the annotation so that the scheduler selects another one. */
  record Reselect(String node) implements ClaimDecision {}

  record Wait(Reason why, String note, boolean setPending) implements ClaimDecision, Reasoned {}

  /** Do nothing and emit no event. {@code explain} states the reason. */
  record Leave(SilentReason why) implements ClaimDecision, Reasoned {}

  record RefuseCopy(String plugin, String note) implements ClaimDecision {}

  record MarkLost(Reason why, String note) implements ClaimDecision, Reasoned {}

  /**
   * The claim contradicts itself, and only a user can correct it: emit an event, change nothing,
   * retry.
   */
  record Contradiction(Reason why, String note) implements ClaimDecision, Reasoned {}

  record Ask(List<Question<?>> questions) implements ClaimDecision, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The caches are behind the API server: wait until they have caught up. */
  record AwaitCache(String what) implements ClaimDecision {}

  record CannotTell(String why) implements ClaimDecision {}
}
