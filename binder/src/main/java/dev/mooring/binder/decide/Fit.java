package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a volume suits a claim, and if not, why not, in the words of events. */
final class Fit {
  /** What a volume must be that is reserved for the claim (spec 4.2, steps 2 to 5). */
  private static final List<VolumeTest> RESERVED =
      List.of(
          VolumeTest.DELETION,
          VolumeTest.SIZE,
          VolumeTest.ATTRIBUTES_CLASS,
          VolumeTest.VOLUME_MODE,
          VolumeTest.ACCESS_MODES);

  /** What a volume must be that the claim asks for by name (spec 2.5). */
  private static final List<VolumeTest> NAMED =
      List.of(
          VolumeTest.DELETION,
          VolumeTest.SIZE,
          VolumeTest.CLASS,
          VolumeTest.ATTRIBUTES_CLASS,
          VolumeTest.VOLUME_MODE,
          VolumeTest.ACCESS_MODES);

  private static final List<VolumeTest> ALL_OF_RESERVED = with(RESERVED, VolumeTest.RECLAIM);
  private static final List<VolumeTest> ALL_OF_NAMED =
      with(NAMED, VolumeTest.CLAIM_REF, VolumeTest.RECLAIM);
  private static final List<VolumeTest> ALL_OF_FREE =
      List.of(
          VolumeTest.CLAIM_REF,
          VolumeTest.DELETION,
          VolumeTest.PHASE,
          VolumeTest.SIZE,
          VolumeTest.CLASS,
          VolumeTest.ACCESS_MODES,
          VolumeTest.VOLUME_MODE,
          VolumeTest.ATTRIBUTES_CLASS,
          VolumeTest.LABELS,
          VolumeTest.BINDING);

  private static final List<VolumeTest> ALL_OF_SCHEDULED =
      with(ALL_OF_FREE, VolumeTest.NODE_AFFINITY);

  private Fit() {}

  private static List<VolumeTest> with(List<VolumeTest> some, VolumeTest... more) {
    return Stream.concat(some.stream(), Arrays.stream(more)).toList();
  }

  /** A failed test, with Kubernetes' words for it. */
  record Misfit(Reason why, String note) {}

  /** The first test that a volume fails which the claim asks for by name (spec 2.5). */
  static Optional<Misfit> misfit(Claim claim, Volume volume) {
    return first(NAMED, claim, volume);
  }

  /**
   * The first test that a volume fails which is reserved for the claim, or was its own (spec 4.2,
   * steps 2 to 5): class, labels and phase do not matter.
   */
  static Optional<Misfit> misfitOfReserved(Claim claim, Volume volume) {
    return first(RESERVED, claim, volume);
  }

  private static Optional<Misfit> first(List<VolumeTest> tests, Claim claim, Volume volume) {
    for (VolumeTest test : tests) {
      if (!test.passes(claim, volume)) {
        return Optional.of(words(test, volume));
      }
    }
    return Optional.empty();
  }

  private static Misfit words(VolumeTest test, Volume volume) {
    return switch (test) {
      case DELETION ->
          new Misfit(
              Reason.VOLUME_BEING_DELETED,
              "the volume is marked for deletion \"" + volume.meta().name() + "\"");
      case SIZE -> new Misfit(Reason.TOO_SMALL, "requested PV is too small");
      case CLASS -> new Misfit(Reason.CLASS_DIFFERS, "storageClassName does not match");
      case ATTRIBUTES_CLASS ->
          new Misfit(Reason.ATTRIBUTES_CLASS_DIFFERS, "volumeAttributesClassName does not match");
      case VOLUME_MODE -> new Misfit(Reason.VOLUME_MODE_DIFFERS, "incompatible volumeMode");
      case ACCESS_MODES -> new Misfit(Reason.ACCESS_MODES_DIFFER, "incompatible accessMode");
      case CLAIM_REF, PHASE, LABELS, BINDING, NODE_AFFINITY, RECLAIM ->
          throw new IllegalArgumentException("no volume is asked for by its " + test.token());
    };
  }

  /**
   * Every test that a volume is put to for a claim: fewer, if it is reserved for the claim or the
   * claim asks for it.
   */
  static List<VolumeTest> tests(Wanted wanted, Volume volume) {
    if (Availability.isReserved(wanted.claim(), volume)) {
      return ALL_OF_RESERVED;
    }
    if (!wanted.claim().volumeName().isEmpty()) {
      return ALL_OF_NAMED;
    }
    return wanted.delayed() && wanted.nodes().areKnown() ? ALL_OF_SCHEDULED : ALL_OF_FREE;
  }

  /**
   * The first test that a volume fails which was the claim's own. A claim that was given less than
   * it asks for by now, because it is being expanded, is content with what it was given.
   */
  static Optional<Misfit> misfitOfOwn(Claim claim, Volume volume) {
    Quantity given = claim.status().capacity().getOrDefault("storage", claim.request());
    Quantity needed = given.compareTo(claim.request()) < 0 ? given : claim.request();
    if (!VolumeTest.has(volume, needed)) {
      return failed(Reason.TOO_SMALL, "it has " + volume.storage() + ", not " + needed);
    }
    if (!VolumeTest.VOLUME_MODE.passes(claim, volume)) {
      return failed(
          Reason.VOLUME_MODE_DIFFERS,
          "it is " + volume.volumeMode() + ", not " + claim.volumeMode());
    }
    return VolumeTest.ACCESS_MODES.passes(claim, volume)
        ? Optional.empty()
        : failed(
            Reason.ACCESS_MODES_DIFFER,
            "it offers " + volume.accessModes() + ", not " + claim.accessModes());
  }

  private static Optional<Misfit> failed(Reason why, String note) {
    return Optional.of(new Misfit(why, note));
  }
}
