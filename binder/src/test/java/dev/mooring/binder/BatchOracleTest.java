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
import org.junit.jupiter.api.Timeout;

/**
 * Compares pending claims with brute force: as many are bound as any plan could bind, and each gets
 * the smallest volume that leaves as many for the others. {@code -Dmooring.oracle.worlds=N} runs
 * more worlds.
 */
class BatchOracleTest {
  private static final long WORLDS = Long.getLong("mooring.oracle.worlds", 200_000);
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

  private static <T> T any(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static Volume volume(Random random, int i) {
    return TestObjects.volume(ObjectKey.cluster("v" + i))
        .uid("v" + i)
        .created(random.nextInt(2))
        .labels(any(random, LABELS))
        .capacity(Map.of("storage", Quantity.of(1 + random.nextInt(4) + "Gi")))
        .accessModes(any(random, MODES))
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

  private static Claim anyClaim(Random random, int i) {
    return claim(i, 1 + random.nextInt(4), any(random, MODES), random.nextInt(3) == 0);
  }

  private static <T> List<T> some(Random random, IntFunction<T> each) {
    return IntStream.range(0, random.nextInt(6)).mapToObj(each).toList();
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
  private static int most(List<Claim> claims, List<Volume> volumes) {
    if (claims.isEmpty()) {
      return 0;
    }
    List<Claim> others = claims.subList(1, claims.size());
    int most = most(others, volumes);
    for (Volume volume : volumes) {
      if (suits(claims.getFirst(), volume)) {
        most = Math.max(most, 1 + most(others, without(volumes, volume)));
      }
    }
    return most;
  }

  private static List<Volume> without(List<Volume> volumes, Volume volume) {
    return volumes.stream().filter(v -> v != volume).toList();
  }

  /** Returns the first volume that leaves as many claims servable as before; else the first. */
  private static Optional<Volume> oracle(Claim claim, List<Claim> others, List<Volume> volumes) {
    List<Volume> suitable =
        volumes.stream().filter(v -> suits(claim, v)).sorted(BEST_FIRST).toList();
    int most = most(others, volumes);
    return suitable.stream()
        .filter(v -> most(others, without(volumes, v)) == most)
        .findFirst()
        .or(() -> suitable.stream().findFirst());
  }

  private static int bound(List<Claim> claims, List<Volume> volumes, boolean together) {
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    volumes.forEach(binder::add);
    if (together) {
      claims.forEach(binder::expect);
    }
    List<Volume> left = new ArrayList<>(volumes);
    for (int i = 0; i < claims.size(); i++) {
      Optional<Volume> chosen = binder.volumeFor(claims.get(i));
      if (together) {
        List<Claim> others = new ArrayList<>(claims.subList(i + 1, claims.size()));
        assertThat(chosen).isEqualTo(oracle(claims.get(i), others, left));
      }
      chosen.ifPresent(binder::remove);
      chosen.ifPresent(left::remove);
    }
    return volumes.size() - left.size();
  }

  @Test
  void decide_randomWorlds_bindsAsManyAsAnyPlan() {
    LongAdder better = new LongAdder();
    LongStream.range(0, WORLDS / 4)
        .parallel()
        .forEach(seed -> {
          Random random = new Random(seed);
          List<Volume> volumes = some(random, i -> volume(random, i));
          List<Claim> claims = some(random, i -> anyClaim(random, i));
          int together = bound(claims, volumes, true);
          int greedy = bound(claims, volumes, false);
          assertThat(together).as("seed %d", seed).isEqualTo(most(claims, volumes));
          assertThat(together).as("seed %d", seed).isGreaterThanOrEqualTo(greedy);
          if (together > greedy) {
            better.increment();
          }
        });
    assertThat(better.sum()).as("worlds in which a plan helps").isPositive();
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
          List<Volume> volumes = some(random, i -> volume(random, i));
          List<Claim> claims =
              some(random, i -> claim(i, 1 + random.nextInt(4), MODES.getFirst(), false));
          assertThat(bound(claims, volumes, false))
              .as("seed %d", seed)
              .isEqualTo(most(claims, volumes));
        });
  }

  @Test
  @Timeout(300)
  void decide_thousandClaims_bindsAsManyAsPlanned() {
    Random random = new Random(1);
    List<Claim> claims = new ArrayList<>();
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    DryRun greedy = new DryRun(BinderPolicy.DEFAULTS);
    for (int i = 0; i < 1000; i++) {
      Volume volume = volume(random, i);
      binder.add(volume);
      greedy.add(volume);
      claims.add(anyClaim(random, i));
    }
    claims.forEach(binder::expect);
    int bound = 0;
    int bySize = 0;
    for (Claim claim : claims) {
      Optional<Volume> chosen = binder.volumeFor(claim);
      chosen.ifPresent(binder::remove);
      bound += chosen.isPresent() ? 1 : 0;
      Optional<Volume> smallest = greedy.volumeFor(claim);
      smallest.ifPresent(greedy::remove);
      bySize += smallest.isPresent() ? 1 : 0;
    }
    assertThat(bound).isGreaterThan(bySize);
  }

  /** Tens of thousands of claims that wait for provisioning need no plan. */
  @Test
  @Timeout(300)
  void decide_claimsWithoutVolumes_needNoPlan() {
    Random random = new Random(1);
    DryRun binder = new DryRun(BinderPolicy.DEFAULTS);
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      claims.add(anyClaim(random, i));
    }
    claims.forEach(binder::expect);
    assertThat(claims).noneMatch(claim -> binder.volumeFor(claim).isPresent());
  }
}
