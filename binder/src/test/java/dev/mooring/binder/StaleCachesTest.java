package dev.mooring.binder;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that stale or empty caches cost no claim its volume. */
class StaleCachesTest {
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");

  private final SimTime time = new SimTime();
  private final LiveServer server = new LiveServer();
  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
  private final SharedInformers informers = new SharedInformers();
  private final Informer<Claim> claims = informers.of(Kind.CLAIM);
  private final Informer<Volume> volumes = informers.of(Kind.VOLUME);
  private final Informer<StorageClass> classes = informers.of(Kind.STORAGE_CLASS);

  private BinderController controller(Compat compat) {
    BinderConfig defaults = BinderConfig.DEFAULTS;
    return new BinderController(
        new BinderConfig(
            defaults.resync(),
            defaults.workers(),
            new BinderPolicy(compat, true),
            defaults.recycle(),
            defaults.breaker()),
        informers,
        TestPorts.of(server.ports(), events::add, time),
        LoadedPlugins.NONE);
  }

  /** Syncs the claim. */
  private void decideClaim(Compat compat, UnaryOperator<ClaimBuilder> change)
      throws InterruptedException {
    decideClaimTimes(1, compat, change);
  }

  private void decideClaimTimes(int times, Compat compat, UnaryOperator<ClaimBuilder> change)
      throws InterruptedException {
    Claim claim = claim("1Gi", change);
    claims.applyOwnWrite(claim);
    server.withObject(Kind.CLAIM, claim);
    BinderController controller = controller(compat);
    StepwiseController steps = new StepwiseController(controller.spec(), time);
    steps.startWithoutFirstPasses();
    for (int i = 0; i < times; i++) {
      assertThat(steps.step("claims")).isTrue();
      if (i + 1 < times) {
        controller.resync();
      }
    }
  }

  private static UnaryOperator<ClaimBuilder> bound() {
    return c ->
        c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v").phase(ClaimPhase.BOUND);
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_serverHasTheVolume_isNotLost(Compat compat) throws InterruptedException {
    server.withObject(
        Kind.VOLUME, volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.BOUND)));
    decideClaim(compat, bound());
    assertThat(server.writes()).isEmpty();
    assertThat(events).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_staleCacheShowsAnotherClaim_isNotLost(Compat compat) throws InterruptedException {
    volumes.applyOwnWrite(
        volume("v", "1Gi", v -> v.claimRef(CLAIM, "earlier").phase(VolumePhase.BOUND)));
    server.withObject(
        Kind.VOLUME, volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.BOUND)));
    decideClaim(compat, bound());
    assertThat(server.writes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_unreadableVolume_isNotLost(Compat compat) throws InterruptedException {
    server.withoutAnswerAbout(Kind.VOLUME, VOLUME);
    decideClaim(compat, bound());
    assertThat(server.writes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_volumeCertainlyGone_isLost(Compat compat) throws InterruptedException {
    decideClaim(compat, bound());
    assertThat(server.writes()).singleElement().asString().contains("phase=Lost");
  }

  @Test
  void decide_uncachedVolume_isNotReportedMissing() throws InterruptedException {
    server.withObject(Kind.VOLUME, volume("v", "1Gi"));
    decideClaim(Compat.MOORING, c -> c.volumeName("v"));
    assertThat(events).isEmpty();
  }

  @Test
  void decide_missingVolume_isReportedAndReadOnce() throws InterruptedException {
    decideClaimTimes(5, Compat.MOORING, c -> c.volumeName("v"));
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.note()).contains("volume \"v\" does not exist"));
    assertThat(server.reads()).containsExactly("PersistentVolume v");
  }

  private static StorageClass delaying(String name) {
    return TestObjects.storageClass(ObjectKey.cluster(name))
        .uid(name)
        .created(1)
        .provisioner("kubernetes.io/no-provisioner")
        .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
        .build();
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_uncachedClass_mayDelayBinding(Compat compat) throws InterruptedException {
    server.withObject(Kind.STORAGE_CLASS, delaying("late"));
    volumes.applyOwnWrite(volume("v", "1Gi", v -> v.storageClass("late")));
    decideClaim(compat, c -> c.storageClass("late"));
    assertThat(server.writes()).isEmpty();
    assertThat(events).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_unreadableClass_mayDelayBinding(Compat compat) throws InterruptedException {
    server.withoutAnswerAbout(Kind.STORAGE_CLASS, ObjectKey.cluster("late"));
    volumes.applyOwnWrite(volume("v", "1Gi", v -> v.storageClass("late")));
    decideClaim(compat, c -> c.storageClass("late"));
    assertThat(server.writes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void decide_missingClass_doesNotDelayBinding(Compat compat) throws InterruptedException {
    volumes.applyOwnWrite(volume("v", "1Gi", v -> v.storageClass("by-hand")));
    decideClaim(compat, c -> c.storageClass("by-hand"));
    assertThat(server.writes()).singleElement().asString().contains("patch PersistentVolume v");
  }

  @Test
  void decide_missingClass_isReadOncePerClaim() throws InterruptedException {
    decideClaimTimes(5, Compat.MOORING, c -> c.storageClass("by-hand").phase(ClaimPhase.PENDING));
    assertThat(server.reads()).containsExactly("StorageClass by-hand");
    assertThat(CLAIM.name()).isEqualTo("c");
  }
}
