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

  record Reclaim(boolean setReleased) implements VolumeDecision {}

  record Unbind() implements VolumeDecision {}

  record WakeClaim(ObjectKey claim) implements VolumeDecision {}

  record ModeMismatch(Claim claim, boolean unbind) implements VolumeDecision {}

  record Keep(Reason why, String note) implements VolumeDecision {}

  record LookLive(ObjectKey claim) implements VolumeDecision, NeedsLive {
    @Override
    public List<Question<?>> questions() {
      return List.of(new Question.One<>(Kind.CLAIM, claim));
    }
  }

  record CannotTell(String why) implements VolumeDecision {}
}
