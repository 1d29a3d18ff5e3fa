package dev.mooring.binder.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumePhase;
import java.util.List;

/** Next step for a volume. */
public sealed interface VolumeDecision {
  record SetPhase(VolumePhase phase) implements VolumeDecision {}

  /** The claim is gone: set the phase Released if it is not set, then apply the reclaim policy. */
  record Reclaim(boolean setReleased) implements VolumeDecision {}

  /** The claim is bound to another volume: remove the claimRef. */
  record Unbind() implements VolumeDecision {}

  /** The claim has yet to finish the binding: requeue it. */
  record WakeClaim(ObjectKey claim) implements VolumeDecision {}

  /**
   * The volume and its claim differ in volumeMode: emit events on both.
   *
   * @param unbind whether to remove the claimRef
   */
  record ModeMismatch(Claim claim, boolean unbind) implements VolumeDecision {}

  /**
   * The volume stays as it is: it is given to no claim, and nothing is destroyed.
   *
   * @param note the reason with this volume's names
   */
  record Keep(Reason why, String note) implements VolumeDecision {}

  record LookLive(ObjectKey claim) implements VolumeDecision, NeedsLive {
    @Override
    public List<Question<?>> questions() {
      return List.of(new Question.One<>(Kind.CLAIM, claim));
    }
  }

  record CannotTell(String why) implements VolumeDecision {}
}
