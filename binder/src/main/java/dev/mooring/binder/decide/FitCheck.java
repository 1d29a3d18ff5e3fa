package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeCriterion.CriterionScope;
import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

final class FitCheck {
  // tests for a volume that is reserved for the claim
  private static final List<VolumeCriterion> RESERVED = decisive(CriterionScope.RESERVED);

  // tests for a volume that the claim names
  private static final List<VolumeCriterion> NAMED = decisive(CriterionScope.NAMED);

  private static final List<VolumeCriterion> ALL_OF_RESERVED =
      VolumeCriterion.of(CriterionScope.RESERVED);
  private static final List<VolumeCriterion> ALL_OF_NAMED =
      VolumeCriterion.of(CriterionScope.NAMED);
  private static final List<VolumeCriterion> ALL_OF_FREE = VolumeCriterion.of(CriterionScope.FREE);
  private static final List<VolumeCriterion> ALL_OF_SCHEDULED =
      VolumeCriterion.of(CriterionScope.SCHEDULED);

  private FitCheck() {}

  private static List<VolumeCriterion> decisive(CriterionScope scope) {
    return VolumeCriterion.of(scope).stream().filter(VolumeCriterion::isDecisive).toList();
  }

  record FitMismatch(Reason reason, String message) {}

  static Optional<FitMismatch> mismatchOfNamed(MatchSubject subject, Volume volume) {
    return findMismatch(NAMED, subject, volume);
  }

  /**
   * Returns the first failed test of a volume that is reserved for the claim, or was its own.
   * Class, labels and phase do not matter.
   */
  static Optional<FitMismatch> mismatchOfReserved(MatchSubject subject, Volume volume) {
    return findMismatch(RESERVED, subject, volume);
  }

  private static Optional<FitMismatch> findMismatch(
      List<VolumeCriterion> selectTests, MatchSubject subject, Volume volume) {
    for (VolumeCriterion test : selectTests) {
      if (!test.passes(subject, volume)) {
        return Optional.of(test.mismatch(volume));
      }
    }
    return Optional.empty();
  }

  static List<VolumeCriterion> selectTests(ClaimRequirements requirements, Volume volume) {
    if (AvailabilityRule.isReserved(requirements.claim(), volume)) {
      return ALL_OF_RESERVED;
    }
    if (!requirements.claim().volumeName().isEmpty()) {
      return ALL_OF_NAMED;
    }
    return requirements.isDelayed() && requirements.nodes().areKnown()
        ? ALL_OF_SCHEDULED
        : ALL_OF_FREE;
  }

  /**
   * Returns the first failed test of a volume that was the claim's own. A claim that is being
   * expanded accepts the capacity that it was given.
   */
  static Optional<FitMismatch> mismatchOfOwn(MatchSubject subject, Volume volume) {
    Claim claim = subject.claim();
    Quantity grantedSize = claim.status().capacity().getOrDefault("storage", claim.request());
    Quantity needed = grantedSize.compareTo(claim.request()) < 0 ? grantedSize : claim.request();
    if (!VolumeCriterion.isLargeEnough(volume, needed)) {
      return mismatch(Reason.TOO_SMALL, "it has " + volume.storage() + ", not " + needed);
    }
    if (!VolumeCriterion.VOLUME_MODE.passes(subject, volume)) {
      return mismatch(
          Reason.VOLUME_MODE_DIFFERS,
          "it is " + volume.volumeMode() + ", not " + claim.volumeMode());
    }
    return VolumeCriterion.ACCESS_MODES.passes(subject, volume)
        ? Optional.empty()
        : mismatch(
            Reason.ACCESS_MODES_DIFFER,
            "it offers " + volume.accessModes() + ", not " + claim.accessModes());
  }

  private static Optional<FitMismatch> mismatch(Reason reason, String message) {
    return Optional.of(new FitMismatch(reason, message));
  }
}
