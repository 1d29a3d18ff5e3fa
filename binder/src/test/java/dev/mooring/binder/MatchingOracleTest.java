package dev.mooring.binder;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.MatchReport;
import dev.mooring.binder.decide.VolumeTester;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the index with brute force over random small worlds. {@code -Dmooring.oracle.worlds=N}
 * runs more worlds.
 */
class MatchingOracleTest {
  private static final long WORLDS = Long.getLong("mooring.oracle.worlds", 60_000);
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final Uid UID = Uid.of("u");
  private static final List<AccessModes> MODES =
      List.of(
          AccessModes.of("ReadWriteOnce"),
          AccessModes.of("ReadOnlyMany"),
          AccessModes.of("ReadWriteOnce", "ReadOnlyMany"),
          AccessModes.of("ReadWriteMany", "ReadWriteOnce"));
  private static final List<Quantity> SIZES =
      List.of(
          Quantity.of("1Gi"),
          Quantity.of("1073741824"),
          Quantity.of("1500M"),
          Quantity.of("2Gi"),
          Quantity.of("900E"));
  private static final List<Map<String, String>> LABELS =
      List.of(Map.of(), Map.of("tier", "gold"), Map.of("tier", "iron"));

  private static <T> T pick(Random random, List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private static Volume volume(Random random, int i) {
    ClaimRef ref =
        switch (random.nextInt(8)) {
          case 0 -> new ClaimRef(CLAIM, UID);
          case 1 -> new ClaimRef(CLAIM, Uid.NONE);
          case 2 -> new ClaimRef(CLAIM, Uid.of("earlier"));
          case 3 -> new ClaimRef(ObjectKey.of("ns", "d"), Uid.NONE);
          case 4 -> new ClaimRef(ObjectKey.of("", ""), Uid.NONE);
          default -> null;
        };
    return TestObjects.volume(ObjectKey.cluster("v" + i))
        .uid("v" + i)
        .created(random.nextInt(2))
        .deleted(random.nextInt(8) == 0 ? 1 : 0)
        .labels(pick(random, LABELS))
        .capacity(Map.of("storage", pick(random, SIZES)))
        .accessModes(pick(random, MODES))
        .claimRef(ref)
        .storageClass(random.nextInt(4) == 0 ? "gold" : "")
        .volumeMode(random.nextInt(6) == 0 ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM)
        .attributesClass(random.nextInt(8) == 0 ? "fast" : "")
        .status(
            new Volume.Status(
                switch (random.nextInt(8)) {
                  case 0 -> VolumePhase.RELEASED;
                  case 1 -> VolumePhase.PENDING;
                  case 2 -> VolumePhase.UNSET;
                  default -> VolumePhase.AVAILABLE;
                },
                "",
                ""))
        .build();
  }

  private static Claim claim(Random random) {
    return TestObjects.claim(CLAIM)
        .uid(UID)
        .created(1)
        .accessModes(pick(random, MODES))
        .request(pick(random, SIZES))
        .storageClass(random.nextInt(4) == 0 ? "gold" : "")
        .volumeMode(random.nextInt(6) == 0 ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM)
        .selector(
            random.nextInt(4) == 0 ? new LabelSelector(Map.of("tier", "gold"), List.of()) : null)
        .attributesClass(random.nextInt(8) == 0 ? "fast" : "")
        .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
        .build();
  }

  private static boolean fits(Claim claim, Volume volume) {
    return volume.storage().value().compareTo(claim.request().value()) >= 0
        && volume.volumeMode() == claim.volumeMode()
        && volume.attributesClass().equals(claim.attributesClass())
        && volume.accessModes().written().containsAll(claim.accessModes().written())
        && volume.meta().deleted() == 0;
  }

  private static boolean isReserved(Volume volume) {
    return volume.claimRef() != null
        && volume.claimRef().claim().equals(CLAIM)
        && (volume.claimRef().uid().isNone() || volume.claimRef().uid().equals(UID));
  }

  private static boolean isFree(Claim claim, Volume volume) {
    boolean unclaimed = volume.claimRef() == null || volume.claimRef().claim().name().isEmpty();
    return unclaimed
        && volume.phase() != VolumePhase.RELEASED
        && volume.storageClass().equals(claim.className())
        && (claim.selector() == null || "gold".equals(volume.meta().labels().get("tier")));
  }

  private static Optional<Volume> expectedVolume(Claim claim, List<Volume> volumes) {
    Comparator<Volume> order =
        Comparator.comparing((Volume v) -> v.storage().value())
            .thenComparing(v -> v.meta().created())
            .thenComparing(v -> v.meta().name());
    Optional<Volume> reserved =
        volumes.stream().filter(v -> isReserved(v) && fits(claim, v)).min(order);
    return reserved.isPresent()
        // a volume that was reserved by name alone becomes free when it is Available again
        ? reserved.filter(v -> v.phase() != VolumePhase.RELEASED || v.claimRef().uid().equals(UID))
        : volumes.stream().filter(v -> isFree(claim, v) && fits(claim, v)).min(order);
  }

  private static void compare(long seed) {
    Random random = new Random(seed);
    List<Volume> volumes = new ArrayList<>();
    DryRun index = new DryRun(BinderPolicy.DEFAULTS);
    for (int i = random.nextInt(7); i > 0; i--) {
      Volume volume = volume(random, i);
      volumes.add(volume);
      index.add(volume);
    }
    Claim claim = claim(random);
    Optional<Volume> expected = expectedVolume(claim, volumes);
    Optional<Volume> chosenVolume = index.volumeFor(claim);
    if (!chosenVolume.equals(expected)) {
      throw new AssertionError(
          "seed "
              + seed
              + ": chose "
              + chosenVolume
              + ", not "
              + expected
              + " for "
              + claim
              + " of "
              + volumes);
    }
  }

  /** Reports and decisions use the same tests. */
  private static void compareReports(long seed) {
    Random random = new Random(seed);
    List<Volume> volumes = new ArrayList<>();
    Compat compat = random.nextBoolean() ? Compat.KUBERNETES : Compat.MOORING;
    DryRun index = new DryRun(new BinderPolicy(compat, true));
    for (int i = random.nextInt(7); i > 0; i--) {
      Volume volume = volume(random, i);
      volumes.add(volume);
      index.add(volume);
    }
    Claim claim = claim(random);
    Optional<Volume> chosenVolume = index.volumeFor(claim);
    ClaimView view =
        new ClaimView(
            claim, Optional.empty(), "", List.of(), new ClaimView.Provisioning.Unserved(""), false);
    VolumeTester tests = new VolumeTester(view, new BinderPolicy(compat, true));
    List<MatchReport> trials = tests.sortByNearness(volumes).stream().map(tests::report).toList();
    boolean isIdle =
        trials.stream()
            .anyMatch(t ->
                tests.countFailedTests(t.volume()) == 1
                    && t.results().stream()
                        .anyMatch(o -> !o.passed() && o.test().equals("reclaim")));
    List<Volume> passingVolumes =
        trials.stream()
            .map(MatchReport::volume)
            .filter(v -> tests.countFailedTests(v) == 0)
            .toList();
    boolean isEqual =
        chosenVolume
            .map(passingVolumes::contains)
            .orElseGet(() -> passingVolumes.isEmpty() || isIdle);
    if (!isEqual || trials.size() != volumes.size()) {
      throw new AssertionError(
          "seed " + seed + ": chose " + chosenVolume + " for " + claim + "; reported is " + trials);
    }
  }

  @Test
  void report_randomClusters_agreesWithDecision() {
    LongStream.range(0, WORLDS).parallel().forEach(MatchingOracleTest::compareReports);
  }

  @Test
  void decide_randomClusters_equalsBruteForce() {
    LongStream.range(0, WORLDS).parallel().forEach(MatchingOracleTest::compare);
  }
}
