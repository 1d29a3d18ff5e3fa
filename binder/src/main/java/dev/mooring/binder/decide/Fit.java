package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/** Whether a volume suits a claim, and if not, why not, in the words of events. */
final class Fit {
  /** How many terms of a selector, and values of a term, are told. */
  private static final int MOST_TERMS = 10;

  private Fit() {}

  /** A failed test, with Kubernetes' words for it. */
  record Misfit(Reason why, String note) {}

  /** The first test that a volume fails which the claim asks for by name (spec 2.5). */
  static Optional<Misfit> misfit(Claim claim, Volume volume) {
    if (volume.meta().isBeingDeleted()) {
      return failed(
          Reason.VOLUME_BEING_DELETED,
          "the volume is marked for deletion \"" + volume.meta().name() + "\"");
    }
    if (!volume.storage().covers(claim.request())) {
      return failed(Reason.TOO_SMALL, "requested PV is too small");
    }
    if (!volume.storageClass().equals(claim.className())) {
      return failed(Reason.CLASS_DIFFERS, "storageClassName does not match");
    }
    return misfitOfReserved(claim, volume);
  }

  /**
   * The first test that a volume fails which is reserved for the claim, or was its own (spec 4.2,
   * steps 2 to 5): class, labels and phase do not matter.
   */
  static Optional<Misfit> misfitOfReserved(Claim claim, Volume volume) {
    if (volume.meta().isBeingDeleted()) {
      return failed(
          Reason.VOLUME_BEING_DELETED,
          "the volume is marked for deletion \"" + volume.meta().name() + "\"");
    }
    if (!volume.storage().covers(claim.request())) {
      return failed(Reason.TOO_SMALL, "requested PV is too small");
    }
    if (!volume.attributesClass().equals(claim.attributesClass())) {
      return failed(Reason.ATTRIBUTES_CLASS_DIFFERS, "volumeAttributesClassName does not match");
    }
    if (volume.volumeMode() != claim.volumeMode()) {
      return failed(Reason.VOLUME_MODE_DIFFERS, "incompatible volumeMode");
    }
    return volume.accessModes().offers(claim.accessModes())
        ? Optional.empty()
        : failed(Reason.ACCESS_MODES_DIFFER, "incompatible accessMode");
  }

  /**
   * The first test that a volume fails which was the claim's own. A claim that was given less than
   * it asks for by now, because it is being expanded, is content with what it was given.
   */
  static Optional<Misfit> misfitOfOwn(Claim claim, Volume volume) {
    Quantity given = claim.status().capacity().getOrDefault("storage", claim.request());
    Quantity needed = given.compareTo(claim.request()) < 0 ? given : claim.request();
    if (!volume.storage().covers(needed)) {
      return failed(Reason.TOO_SMALL, "it has " + volume.storage() + ", not " + needed);
    }
    if (volume.volumeMode() != claim.volumeMode()) {
      return failed(
          Reason.VOLUME_MODE_DIFFERS,
          "it is " + volume.volumeMode() + ", not " + claim.volumeMode());
    }
    return volume.accessModes().offers(claim.accessModes())
        ? Optional.empty()
        : failed(
            Reason.ACCESS_MODES_DIFFER,
            "it offers " + volume.accessModes() + ", not " + claim.accessModes());
  }

  private static Optional<Misfit> failed(Reason why, String note) {
    return Optional.of(new Misfit(why, note));
  }

  /** A test that a volume must pass for a claim that would take any. */
  private record Test(BiPredicate<Wanted, Volume> fails, BiFunction<Claim, Volume, String> note) {}

  /**
   * A claim, and what it asks of labels.
   *
   * @param claim the claim
   * @param key what it asks for, prepared
   */
  record Wanted(Claim claim, MatchKey key) {
    static Wanted by(Claim claim) {
      return new Wanted(claim, MatchKey.of(claim));
    }
  }

  private static final List<Test> TESTS =
      List.of(
          new Test(
              (wanted, volume) ->
                  volume.claimRef() != null
                      && !volume
                          .claimRef()
                          .isFor(wanted.claim().key(), wanted.claim().meta().uid()),
              (claim, volume) -> "belongs to " + Objects.requireNonNull(volume.claimRef()).claim()),
          new Test(
              (wanted, volume) -> volume.meta().isBeingDeleted(),
              (claim, volume) -> "is being deleted"),
          new Test(
              (wanted, volume) ->
                  volume.phase() == VolumePhase.RELEASED || volume.phase() == VolumePhase.FAILED,
              (claim, volume) -> "is " + volume.phase()),
          new Test(
              (wanted, volume) -> !volume.storage().covers(wanted.claim().request()),
              (claim, volume) -> "has " + volume.storage() + ", not " + claim.request()),
          new Test(
              (wanted, volume) -> !volume.storageClass().equals(wanted.claim().className()),
              (claim, volume) ->
                  "has class \"" + volume.storageClass() + "\", not \"" + claim.className() + "\""),
          new Test(
              (wanted, volume) -> !volume.accessModes().offers(wanted.claim().accessModes()),
              (claim, volume) -> "offers " + volume.accessModes() + ", not " + claim.accessModes()),
          new Test(
              (wanted, volume) -> volume.volumeMode() != wanted.claim().volumeMode(),
              (claim, volume) -> "is " + volume.volumeMode() + ", not " + claim.volumeMode()),
          new Test(
              (wanted, volume) ->
                  !volume.attributesClass().equals(wanted.claim().attributesClass()),
              (claim, volume) ->
                  "has attributes class \""
                      + volume.attributesClass()
                      + "\", not \""
                      + claim.attributesClass()
                      + "\""),
          new Test(
              (wanted, volume) -> !wanted.key().hasLabels(volume),
              (claim, volume) -> "lacks the labels " + labels(claim)));

  /** How many tests a volume fails for a claim that would take any. */
  static int misfits(Wanted wanted, Volume volume) {
    int failed = 0;
    for (Test test : TESTS) {
      failed += test.fails().test(wanted, volume) ? 1 : 0;
    }
    return failed;
  }

  /** Every test that a volume fails for a claim that would take any, in words. */
  static List<String> describe(Wanted wanted, Volume volume) {
    return TESTS.stream()
        .filter(test -> test.fails().test(wanted, volume))
        .map(test -> test.note().apply(wanted.claim(), volume))
        .toList();
  }

  /** The claim's selector; its beginning, if it is longer than anybody would read. */
  private static String labels(Claim claim) {
    LabelSelector selector = Objects.requireNonNull(claim.selector());
    boolean isLong =
        selector.matchLabels().size() > MOST_TERMS
            || selector.matchExpressions().size() > MOST_TERMS
            || selector.matchExpressions().stream().anyMatch(r -> r.values().size() > MOST_TERMS);
    return isLong ? beginning(selector) : selector.toString();
  }

  private static String beginning(LabelSelector selector) {
    Map<String, String> some = new LinkedHashMap<>();
    selector.matchLabels().entrySet().stream()
        .limit(MOST_TERMS)
        .forEach(label -> some.put(label.getKey(), label.getValue()));
    List<LabelSelector.Requirement> few =
        selector.matchExpressions().stream()
            .limit(MOST_TERMS)
            .map(r ->
                new LabelSelector.Requirement(
                    r.key(), r.operator(), r.values().stream().limit(MOST_TERMS).toList()))
            .toList();
    return new LabelSelector(some, few) + "...";
  }
}
