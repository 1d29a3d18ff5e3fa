package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumePhase;
import java.util.List;

/** What becomes of a volume. */
public sealed interface VolumeDecision {
  /** Its phase must say so. */
  record SetPhase(VolumePhase phase) implements VolumeDecision {}

  /** Its claim is gone: Released if it is not yet, then the reclaim policy. */
  record Reclaim(boolean setReleased) implements VolumeDecision {}

  /** Its claim is bound elsewhere: take the claimRef back. */
  record Unbind() implements VolumeDecision {}

  /** Its claim has yet to finish binding: have the claim looked at. */
  record WakeClaim(ObjectKey claim) implements VolumeDecision {}

  /**
   * It can never be bound to the claim that it names: tell both, and take the claimRef back if so
   * decided.
   */
  record ModeMismatch(Claim claim, boolean unbind) implements VolumeDecision {}

  /**
   * The volume stays as it is: no one gets it, and nothing is destroyed.
   *
   * @param why the reason
   * @param note the reason with this volume's names
   */
  record Keep(Reason why, String note) implements VolumeDecision {}

  /** Ask the server for the claim and decide again. */
  record LookLive(ObjectKey claim) implements VolumeDecision, NeedsLive {
    @Override
    public List<Question<?>> questions() {
      return List.of(new Question.One<>(Kind.CLAIM, claim));
    }
  }

  /** The server gave no answer: nothing is done, and it is asked again. */
  record CannotTell(String why) implements VolumeDecision {}
}
