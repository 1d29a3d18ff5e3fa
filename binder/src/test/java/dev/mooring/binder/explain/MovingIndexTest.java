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

class MovingIndexTest {
  private static final int MOMENTS = 40;
  private static final int NAMES = 12;

  private record Moment(CacheSnapshot<Volume> volumes, CacheSnapshot<Claim> claims) {}

  /** After moving back and forth, the index decides like an index that was built for the moment. */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void previewDecision_anyMoment_equalsFreshIndex(Compat compat) {
    BinderPolicy policy = new BinderPolicy(compat, true);
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<Moment> moments = moments(random);
      MovingIndex movingIndex = new MovingIndex(new BinderPolicy(compat, true));
      for (int i = 0; i < 5 * MOMENTS; i++) {
        Moment moment = moments.get(random.nextInt(MOMENTS));
        for (Claim claim : moment.claims().objects()) {
          assertThat(previewDecision(movingIndex, moment, claim, policy))
              .as("seed %d, %s", seed, claim.key())
              .isEqualTo(
                  previewDecision(
                      new MovingIndex(new BinderPolicy(compat, true)), moment, claim, policy));
        }
      }
    }
  }

  /** A look has no side effects on the next one. */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void previewDecision_oneClaim_changesNothingForTheNext(Compat compat) {
    BinderPolicy policy = new BinderPolicy(compat, true);
    Moment moment = moments(new Random(7)).getLast();
    MovingIndex index = new MovingIndex(new BinderPolicy(compat, true));
    List<Step<ClaimDecision>> expected = new ArrayList<>();
    moment
        .claims()
        .objects()
        .forEach(claim -> expected.add(previewDecision(index, moment, claim, policy)));
    List<Step<ClaimDecision>> second = new ArrayList<>();
    moment
        .claims()
        .objects()
        .forEach(claim -> second.add(previewDecision(index, moment, claim, policy)));
    assertThat(second).isEqualTo(expected);
    assertThat(expected)
        .anyMatch(step -> step instanceof Step.Decided<ClaimDecision>(ClaimDecision.Bind _));
  }

  private static Step<ClaimDecision> previewDecision(
      MovingIndex index, Moment moment, Claim claim, BinderPolicy policy) {
    ClaimView view =
        new ClaimView(
            claim, Optional.empty(), "", List.of(), new ClaimView.Provisioning.ByNobody(""), false);
    while (true) {
      Step<ClaimDecision> step =
          index.previewDecision(
              moment.volumes(),
              moment.claims(),
              claim,
              all -> ClaimDecider.decide(view, all, policy));
      if (!(step instanceof Step.Decided<ClaimDecision>(ClaimDecision.ContinueSearch _))) {
        return step;
      }
    }
  }

  private static List<Moment> moments(Random random) {
    Informer<Volume> volumes = new Informer<>(Kind.VOLUME, List.of());
    Informer<Claim> claims = new Informer<>(Kind.CLAIM, List.of());
    List<Moment> moments = new ArrayList<>();
    for (int i = 1; i <= MOMENTS; i++) {
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
      moments.add(new Moment(volumes.snapshot(), claims.snapshot()));
    }
    return moments;
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
