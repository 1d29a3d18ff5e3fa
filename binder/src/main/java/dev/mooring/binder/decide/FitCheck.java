package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeTest.TestScope;
import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

final class FitCheck {
  // tests for a volume that is reserved for the claim (spec 4.2, steps 2 to 5)
  private static final List<VolumeTest> RESERVED = decisive(TestScope.RESERVED);

  // tests for a volume that the claim names (spec 2.5)
  private static final List<VolumeTest> NAMED = decisive(TestScope.NAMED);

  private static final List<VolumeTest> ALL_OF_RESERVED = VolumeTest.of(TestScope.RESERVED);
  private static final List<VolumeTest> ALL_OF_NAMED = VolumeTest.of(TestScope.NAMED);
  private static final List<VolumeTest> ALL_OF_FREE = VolumeTest.of(TestScope.FREE);
  private static final List<VolumeTest> ALL_OF_SCHEDULED = VolumeTest.of(TestScope.SCHEDULED);

  private FitCheck() {}

  private static List<VolumeTest> decisive(TestScope scope) {
    return VolumeTest.of(scope).stream().filter(VolumeTest::isDecisive).toList();
  }

  record FitMismatch(Reason why, String note) {}

  static Optional<FitMismatch> mismatchOfNamed(MatchSubject subject, Volume volume) {
    return first(NAMED, subject, volume);
  }

  /**
   * Returns the first failed test of a volume that is reserved for the claim, or was its own (spec
   * 4.2, steps 2 to 5). Class, labels and phase do not matter.
   */
  static Optional<FitMismatch> mismatchOfReserved(MatchSubject subject, Volume volume) {
    return first(RESERVED, subject, volume);
  }

  private static Optional<FitMismatch> first(
      List<VolumeTest> tests, MatchSubject subject, Volume volume) {
    for (VolumeTest test : tests) {
      if (!test.passes(subject, volume)) {
        return Optional.of(test.mismatch(volume));
      }
    }
    return Optional.empty();
  }

  static List<VolumeTest> tests(ClaimRequirements wanted, Volume volume) {
    if (AvailabilityRule.isReserved(wanted.claim(), volume)) {
      return ALL_OF_RESERVED;
    }
    if (!wanted.claim().volumeName().isEmpty()) {
      return ALL_OF_NAMED;
    }
    return wanted.delayed() && wanted.nodes().areKnown() ? ALL_OF_SCHEDULED : ALL_OF_FREE;
  }

  /**
   * Returns the first failed test of a volume that was the claim's own. A claim that is being
   * expanded accepts the capacity that it was given.
   */
  static Optional<FitMismatch> mismatchOfOwn(MatchSubject subject, Volume volume) {
    Claim claim = subject.claim();
    Quantity given = claim.status().capacity().getOrDefault("storage", claim.request());
    Quantity needed = given.compareTo(claim.request()) < 0 ? given : claim.request();
    if (!VolumeTest.has(volume, needed)) {
      return failed(Reason.TOO_SMALL, "it has " + volume.storage() + ", not " + needed);
    }
    if (!VolumeTest.VOLUME_MODE.passes(subject, volume)) {
      return failed(
          Reason.VOLUME_MODE_DIFFERS,
          "it is " + volume.volumeMode() + ", not " + claim.volumeMode());
    }
    return VolumeTest.ACCESS_MODES.passes(subject, volume)
        ? Optional.empty()
        : failed(
            Reason.ACCESS_MODES_DIFFER,
            "it offers " + volume.accessModes() + ", not " + claim.accessModes());
  }

  private static Optional<FitMismatch> failed(Reason why, String note) {
    return Optional.of(new FitMismatch(why, note));
  }
}
