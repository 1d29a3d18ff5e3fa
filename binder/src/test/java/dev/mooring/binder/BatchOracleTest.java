package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares pending claims with brute force: as many are bound as any plan could bind, and each gets
 * the smallest volume that leaves as many for the others. {@code -Dmooring.oracle.worlds=N} runs
 * more worlds.
 */
class BatchOracleTest {
  private static final long WORLDS = Long.getLong("mooring.oracle.worlds", 60_000);
  private static final Comparator<Volume> BEST_FIRST =
      Comparator.comparing(Volume::storage)
          .thenComparing(v -> v.meta().created())
          .thenComparing(v -> v.meta().name());
  private static final List<AccessModes> MODES =
      List.of(
          AccessModes.of("ReadWriteOnce"),
          AccessModes.of("ReadOnlyMany"),
          AccessModes.of("ReadWriteOnce", "ReadOnlyMany"),
          AccessModes.of("ReadWriteMany", "ReadWriteOnce"));
  private static final List<Map<String, String>> LABELS =
      List.of(Map.of(), Map.of("tier", "gold"), Map.of("tier", "iron"));

  private static <T> T pick(Random random, List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private static Volume volume(Random random, int i) {
    return TestObjects.volume(ObjectKey.cluster("v" + i))
        .uid("v" + i)
        .created(random.nextInt(2))
        .labels(pick(random, LABELS))
        .capacity(Map.of("storage", Quantity.of(1 + random.nextInt(4) + "Gi")))
        .accessModes(pick(random, MODES))
        .status(new Volume.Status(VolumePhase.AVAILABLE, "", ""))
        .build();
  }

  private static Claim claim(int i, int gib, AccessModes modes, boolean gold) {
    return TestObjects.claim(ObjectKey.of("ns", "c" + i))
        .uid("c" + i)
        .created(1)
        .accessModes(modes)
        .request(Quantity.of(gib + "Gi"))
        .storageClass("")
        .selector(gold ? new LabelSelector(Map.of("tier", "gold"), List.of()) : null)
        .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
        .build();
  }

  private static Claim randomClaim(Random random, int i) {
    return claim(i, 1 + random.nextInt(4), pick(random, MODES), random.nextInt(3) == 0);
  }

  private static <T> List<T> randomItems(Random random, IntFunction<T> factory) {
    return IntStream.range(0, random.nextInt(6)).mapToObj(factory).toList();
  }

  private static boolean suits(Claim claim, Volume volume) {
    return volume.storage().value().compareTo(claim.request().value()) >= 0
        && volume.accessModes().written().containsAll(claim.accessModes().written())
        && (claim.selector() == null || "gold".equals(volume.meta().labels().get("tier")));
  }

  /**
   * Returns the maximum number of claims that can get one of the volumes, by trying every
   * combination.
   */
  private static int maximumBound(List<Claim> claims, List<Volume> volumes) {
    if (claims.isEmpty()) {
      return 0;
    }
    List<Claim> otherClaims = claims.subList(1, claims.size());
    int maximum = maximumBound(otherClaims, volumes);
    for (Volume volume : volumes) {
      if (suits(claims.getFirst(), volume)) {
        maximum = Math.max(maximum, 1 + maximumBound(otherClaims, removeVolume(volumes, volume)));
      }
    }
    return maximum;
  }

  private static List<Volume> removeVolume(List<Volume> volumes, Volume volume) {
    return volumes.stream().filter(v -> v != volume).toList();
  }

  /** Returns the first volume that leaves as many claims servable as before; else the first. */
  private static Optional<Volume> expectedVolume(
      Claim claim, List<Claim> otherClaims, List<Volume> volumes) {
    List<Volume> suitable =
        volumes.stream().filter(v -> suits(claim, v)).sorted(BEST_FIRST).toList();
    int maximum = maximumBound(otherClaims, volumes);
    return suitable.stream()
        .filter(v -> maximumBound(otherClaims, removeVolume(volumes, v)) == maximum)
        .findFirst()
        .or(() -> suitable.stream().findFirst());
  }

  private static int countBound(List<Claim> claims, List<Volume> volumes, boolean together) {
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    volumes.forEach(binder::add);
    if (together) {
      claims.forEach(binder::addPendingClaim);
    }
    List<Volume> freeVolumes = new ArrayList<>(volumes);
    for (int i = 0; i < claims.size(); i++) {
      Optional<Volume> chosenVolume = binder.volumeFor(claims.get(i));
      if (together) {
        List<Claim> otherClaims = new ArrayList<>(claims.subList(i + 1, claims.size()));
        assertThat(chosenVolume).isEqualTo(expectedVolume(claims.get(i), otherClaims, freeVolumes));
      }
      chosenVolume.ifPresent(binder::remove);
      chosenVolume.ifPresent(freeVolumes::remove);
    }
    return volumes.size() - freeVolumes.size();
  }

  @Test
  void decide_randomWorlds_bindsAsManyAsAnyPlan() {
    LongAdder improvements = new LongAdder();
    LongStream.range(0, WORLDS / 4)
        .parallel()
        .forEach(seed -> {
          Random random = new Random(seed);
          List<Volume> volumes = randomItems(random, i -> volume(random, i));
          List<Claim> claims = randomItems(random, i -> randomClaim(random, i));
          int together = countBound(claims, volumes, true);
          int greedy = countBound(claims, volumes, false);
          assertThat(together).as("seed %d", seed).isEqualTo(maximumBound(claims, volumes));
          assertThat(together).as("seed %d", seed).isGreaterThanOrEqualTo(greedy);
          if (together > greedy) {
            improvements.increment();
          }
        });
    assertThat(improvements.sum()).as("worlds in which a plan helps").isPositive();
  }

  /**
   * For sizes alone the smallest sufficient volume in the order of arrival is as good as any plan.
   */
  @Test
  void decide_claimsDifferInSizeOnly_needNoPlan() {
    LongStream.range(0, WORLDS / 10)
        .parallel()
        .forEach(seed -> {
          Random random = new Random(seed);
          List<Volume> volumes = randomItems(random, i -> volume(random, i));
          List<Claim> claims =
              randomItems(random, i -> claim(i, 1 + random.nextInt(4), MODES.getFirst(), false));
          assertThat(countBound(claims, volumes, false))
              .as("seed %d", seed)
              .isEqualTo(maximumBound(claims, volumes));
        });
  }

  @Test
  void decide_thousandClaims_bindsAsManyAsPlanned() {
    Random random = new Random(1);
    List<Claim> claims = new ArrayList<>();
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    DryRun greedy = new DryRun(BinderPolicy.DEFAULTS);
    for (int i = 0; i < 1000; i++) {
      Volume volume = volume(random, i);
      binder.add(volume);
      greedy.add(volume);
      claims.add(randomClaim(random, i));
    }
    claims.forEach(binder::addPendingClaim);
    int bound = 0;
    int bySize = 0;
    for (Claim claim : claims) {
      Optional<Volume> chosenVolume = binder.volumeFor(claim);
      chosenVolume.ifPresent(binder::remove);
      bound += chosenVolume.isPresent() ? 1 : 0;
      Optional<Volume> smallest = greedy.volumeFor(claim);
      smallest.ifPresent(greedy::remove);
      bySize += smallest.isPresent() ? 1 : 0;
    }
    assertThat(bound).isGreaterThan(bySize);
  }

  /** Tens of thousands of claims that wait for provisioning need no plan. */
  @Test
  void decide_claimsWithoutVolumes_needNoPlan() {
    Random random = new Random(1);
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      claims.add(randomClaim(random, i));
    }
    claims.forEach(binder::addPendingClaim);
    assertThat(claims).noneMatch(claim -> binder.volumeFor(claim).isPresent());
  }
}
