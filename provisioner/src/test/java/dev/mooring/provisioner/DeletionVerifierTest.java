package dev.mooring.provisioner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.DeletionVerifier.OrphanCount;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeletionVerifierTest {
  private static final String PLUGIN = "example.com/disk";
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final Instant MADE = Instant.parse("2026-11-28T20:00:00Z");
  private static final String CLAIM_UID = "00000000-0000-4000-8000-000000000001";
  private static final ObjectKey NAME = ObjectKey.cluster("pvc-" + CLAIM_UID);

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final Set<String> storage = new HashSet<>();
  private final List<String> questions = new ArrayList<>();
  private final List<ClusterEvent> events = new ArrayList<>();
  private boolean isDown;
  private final DeletionVerifier verifier =
      new DeletionVerifier(
          cluster.informers(),
          TestPorts.of(cluster, events::add, time),
          TestPlugin.loaded(new Disks()),
          new DeletionVerifier.Config(PERIOD));
  private final StepwiseController controller = new StepwiseController(verifier.spec(), time);

  private final class Disks implements VolumePlugin {
    @Override
    public String name() {
      return PLUGIN;
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("hostPath");
    }

    @Override
    public Optional<VolumeInventory> inventory() {
      return Optional.of(request -> {
        questions.add(request.volumeName());
        return isDown
            ? new Attempt.Failed<>(new Failure.Unreachable("down"))
            : Attempt.done(storage.contains(request.source().attribute("path")));
      });
    }
  }

  @BeforeEach
  void start() throws InterruptedException {
    controller.start();
  }

  private static Volume volume(ReclaimPolicy policy, VolumePhase phase) {
    return TestObjects.volume(
            TestObjects.metaOf(NAME)
                .uid("pv-1")
                .created(MADE.getEpochSecond())
                .annotation(VolumeOrigin.PROVISIONED_BY, PLUGIN)
                .annotation(VolumeOrigin.MADE_AT, MADE.toString())
                .meta())
        .source(VolumeSource.hostPath("d1"))
        .claimRef(ObjectKey.of("ns", "c"), CLAIM_UID)
        .storageClass("fast")
        .reclaimPolicy(policy)
        .phase(phase)
        .build();
  }

  private void delete(Volume volume) {
    cluster.put(Kind.VOLUME, volume);
    cluster.remove(Kind.VOLUME, volume.key());
  }

  private void pass(Duration span) throws InterruptedException {
    time.advance(span);
    controller.settle();
  }

  private static Volume released() {
    return volume(ReclaimPolicy.DELETE, VolumePhase.RELEASED);
  }

  @Test
  void deletedVolume_storageStays_isReportedOnceWithinOnePeriod() throws Exception {
    storage.add("d1");
    delete(released());
    pass(PERIOD);
    pass(PERIOD);

    assertThat(events)
        .singleElement()
        .satisfies(event -> {
          assertThat(event.reason()).isEqualTo("VolumeOrphaned");
          assertThat(event.note()).contains(PLUGIN, NAME.name());
        });
    assertThat(verifier.orphans())
        .extracting(OrphanCount::plugin, OrphanCount::storageClass, OrphanCount::volumes)
        .containsExactly(tuple(PLUGIN, "fast", 1L));
  }

  @Test
  void orphanedVolume_storageVanishes_isForgotten() throws Exception {
    storage.add("d1");
    delete(released());
    pass(PERIOD);
    storage.clear();
    pass(PERIOD);
    pass(PERIOD);

    assertThat(verifier.orphans()).isEmpty();
    assertThat(questions).hasSize(2);
  }

  @Test
  void deletedVolume_otherObjectNamesItsStorage_isNotReported() throws Exception {
    storage.add("d1");
    delete(released());
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume(TestObjects.metaOf(ObjectKey.cluster("imported")).uid("pv-2").meta())
            .source(VolumeSource.hostPath("d1"))
            .build());
    pass(PERIOD);

    assertThat(events).isEmpty();
    assertThat(verifier.orphans()).isEmpty();
  }

  @Test
  void deletedVolume_pluginFails_isAskedAgain() throws Exception {
    storage.add("d1");
    isDown = true;
    delete(released());
    pass(PERIOD);
    assertThat(verifier.failures()).containsEntry(PLUGIN, 1L);
    isDown = false;
    pass(PERIOD.multipliedBy(2));

    assertThat(events).hasSize(1);
  }

  @Test
  void verifier_withoutPeriod_isCreated() {
    assertThat(
            new DeletionVerifier(
                    cluster.informers(),
                    TestPorts.of(cluster, events::add, time),
                    TestPlugin.loaded(new Disks()),
                    new DeletionVerifier.Config(Duration.ZERO))
                .orphans())
        .isEmpty();
  }

  @Test
  void volumeOfOtherOrigin_storageStays_isNeverAskedFor() throws Exception {
    storage.add("d1");
    delete(volume(ReclaimPolicy.RETAIN, VolumePhase.RELEASED));
    delete(volume(ReclaimPolicy.DELETE, VolumePhase.BOUND));
    delete(
        TestObjects.volume(TestObjects.metaOf(NAME).uid("pv-3").meta())
            .source(VolumeSource.hostPath("d1"))
            .reclaimPolicy(ReclaimPolicy.DELETE)
            .phase(VolumePhase.RELEASED)
            .build());
    pass(PERIOD);

    assertThat(questions).isEmpty();
  }
}
