package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Informer;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotIndexTest {
  private static final int CACHE_PAIRS = 40;
  private static final int NAMES = 12;

  private record CachePair(CacheSnapshot<Volume> volumes, CacheSnapshot<Claim> claims) {}

  /** A shared index decides like a new index for the same snapshots. */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void previewDecision_anySnapshots_equalsNewIndex(Compat compat) {
    BinderPolicy policy = new BinderPolicy(compat, true);
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<CachePair> cachePairs = cachePairs(random);
      SnapshotIndex sharedIndex = new SnapshotIndex(new BinderPolicy(compat, true));
      for (int i = 0; i < 5 * CACHE_PAIRS; i++) {
        CachePair caches = cachePairs.get(random.nextInt(CACHE_PAIRS));
        for (Claim claim : caches.claims().objects()) {
          assertThat(previewDecision(sharedIndex, caches, claim, policy))
              .as("seed %d, %s", seed, claim.key())
              .isEqualTo(
                  previewDecision(
                      new SnapshotIndex(new BinderPolicy(compat, true)), caches, claim, policy));
        }
      }
    }
  }

  /** A preview has no effect on the next one. */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void previewDecision_oneClaim_hasNoEffectOnTheNext(Compat compat) {
    BinderPolicy policy = new BinderPolicy(compat, true);
    CachePair caches = cachePairs(new Random(7)).getLast();
    SnapshotIndex index = new SnapshotIndex(new BinderPolicy(compat, true));
    List<Step<ClaimDecision>> expected = new ArrayList<>();
    caches
        .claims()
        .objects()
        .forEach(claim -> expected.add(previewDecision(index, caches, claim, policy)));
    List<Step<ClaimDecision>> second = new ArrayList<>();
    caches
        .claims()
        .objects()
        .forEach(claim -> second.add(previewDecision(index, caches, claim, policy)));
    assertThat(second).isEqualTo(expected);
    assertThat(expected)
        .anyMatch(step -> step instanceof Step.Decided<ClaimDecision>(ClaimDecision.Bind _));
  }

  private static Step<ClaimDecision> previewDecision(
      SnapshotIndex index, CachePair caches, Claim claim, BinderPolicy policy) {
    ClaimView view =
        new ClaimView(
            claim, Optional.empty(), "", List.of(), new ClaimView.Provisioning.Unserved(""), false);
    while (true) {
      Step<ClaimDecision> step =
          index.previewDecision(
              caches.volumes(),
              caches.claims(),
              claim,
              all -> ClaimDecider.decide(view, all, policy));
      if (!(step instanceof Step.Decided<ClaimDecision>(ClaimDecision.ContinueSearch _))) {
        return step;
      }
    }
  }

  private static List<CachePair> cachePairs(Random random) {
    Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
    Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
    List<CachePair> cachePairs = new ArrayList<>();
    for (int i = 1; i <= CACHE_PAIRS; i++) {
      for (int changes = random.nextInt(6); changes >= 0; changes--) {
        int name = random.nextInt(NAMES);
        long version = 100L * i + changes;
        switch (random.nextInt(5)) {
          case 0 -> volumes.applyOwnDeletion(ObjectKey.cluster("v" + name), Uid.of("v" + name));
          case 1 -> claims.applyOwnDeletion(ObjectKey.of("ns", "c" + name), Uid.of("c" + name));
          case 2, 3 -> volumes.applyOwnWrite(volume(random, name, version));
          default -> claims.applyOwnWrite(claim(random, name, version));
        }
      }
      cachePairs.add(new CachePair(volumes.snapshot(), claims.snapshot()));
    }
    return cachePairs;
  }

  private static Meta meta(ObjectKey key, long version, Map<String, String> labels) {
    return TestObjects.metaOf(key)
        .uid(key.name())
        .version(version)
        .created(1)
        .labels(labels)
        .meta();
  }

  private static Volume volume(Random random, int i, long version) {
    int holder = random.nextInt(NAMES);
    return TestObjects.volume(
            meta(
                ObjectKey.cluster("v" + i),
                version,
                random.nextBoolean() ? Map.of("tier", "gold") : Map.of()))
        .capacity(Map.of("storage", Quantity.of(1 + random.nextInt(4) + "Gi")))
        .claimRef(
            random.nextInt(3) > 0
                ? null
                : new ClaimRef(ObjectKey.of("ns", "c" + holder), Uid.of("c" + holder)))
        .status(new Volume.Status(VolumePhase.AVAILABLE, "", ""))
        .build();
  }

  private static Claim claim(Random random, int i, long version) {
    return TestObjects.claim(meta(ObjectKey.of("ns", "c" + i), version, Map.of()))
        .request(Quantity.of(1 + random.nextInt(4) + "Gi"))
        .storageClass("")
        .volumeName(random.nextInt(4) > 0 ? "" : "v" + random.nextInt(NAMES))
        .selector(
            random.nextBoolean() ? null : new LabelSelector(Map.of("tier", "gold"), List.of()))
        .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
        .build();
  }
}
