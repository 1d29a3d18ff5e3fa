package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.ProvisionJob;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.SavePolicy;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the checks before a plugin is called. */
class VolumeProvisionerTest {
  private static final ObjectKey KEY = ObjectKey.of("ns", "c");
  private static final String PLUGIN = "kubernetes.io/host-path";
  private static final Claim CLAIM = claim(Map.of());
  private static final StorageClass FAST =
      TestObjects.storageClass(meta(ObjectKey.cluster("fast"), "s"))
          .provisioner("kubernetes.io/host-path")
          .build();

  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();

  /** Returns a claim that is annotated, as after an earlier attempt. */
  private static Claim claim(Map<String, String> annotations) {
    return TestObjects.claim(KEY)
        .uid("u")
        .created(1)
        .annotations(annotations)
        .annotation(BinderMarks.STORAGE_PROVISIONER, PLUGIN)
        .storageClass("fast")
        .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
        .build();
  }

  private static Meta meta(ObjectKey key, String uid) {
    return TestObjects.metaOf(key).uid(uid).created(1).meta();
  }

  private static Volume volume(@Nullable ClaimRef ref) {
    return TestObjects.volume(meta(ObjectKey.cluster("pvc-u"), "v"))
        .source(VolumeSource.hostPath("/x"))
        .claimRef(ref)
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .storageClass("fast")
        .status(new Volume.Status(VolumePhase.AVAILABLE, "", ""))
        .build();
  }

  /** Rejects all writes. */
  private static FaultyCluster server() {
    return new FaultyCluster()
        .onWrite(request -> {
          throw new AssertionError("written: " + request);
        });
  }

  /** Plugin that must not be called. */
  private static final LoadedPlugins NOTHING_IS_MADE =
      new TestPlugin(PLUGIN)
          .withProvisioner(request -> {
            throw new AssertionError("made: " + request);
          })
          .loaded();

  private KeyedOperations.Start startTwice(@Nullable ClaimRef ref, boolean explaining)
      throws InterruptedException {
    FaultyCluster server = server();
    server.cluster().put(Kind.VOLUME, volume(ref));
    return startTwice(CLAIM, server, explaining);
  }

  /** Provisions twice in a row. */
  private KeyedOperations.Start startTwice(Claim claim, FaultyCluster server, boolean explaining)
      throws InterruptedException {
    SimTime time = new SimTime();
    BinderState state = GivenState.of(time);
    KeyedOperations<ObjectKey> operations = state.provisions();
    VolumeProvisioner createProvisioner = createProvisioner(server, explaining, time, state);
    createProvisioner.start(new ProvisionJob(claim, FAST, PLUGIN), Optional.empty());
    TestWait.until(
        "it is over", () -> !server.requests().isEmpty() && operations.runningJobs() == 0);
    return operations.start(KEY, () -> JobResult.DONE);
  }

  private VolumeProvisioner createProvisioner(
      FaultyCluster server, boolean explaining, SimTime time, BinderState state) {
    ClusterPorts ports = TestPorts.of(server, event -> {}, time);
    EventStyle style = explaining ? EventStyle.EXPLAINING : EventStyle.AS_KUBERNETES;
    BinderReporter reporter = new BinderReporter(events::add, state.eventMemory(), style, false);
    return new VolumeProvisioner(
        ports,
        NOTHING_IS_MADE,
        reporter,
        new JobSaver(ports, reporter, SavePolicy.FEW_ATTEMPTS),
        state);
  }

  @Test
  void start_unreadableNode_retriesSoonEachTime() throws InterruptedException {
    SimTime time = new SimTime();
    BinderState state = GivenState.of(time);
    KeyedOperations<ObjectKey> operations = state.provisions();
    FaultyCluster silentCluster =
        server()
            .onRead(request ->
                request.kind().equals(Kind.NODE) ? new ReadResult.Failed<>("no answer") : null);
    VolumeProvisioner createProvisioner = createProvisioner(silentCluster, true, time, state);
    for (int i = 0; i < 12; i++) {
      createProvisioner.start(
          new ProvisionJob(claim(Map.of(BinderMarks.SELECTED_NODE, "n")), FAST, PLUGIN),
          Optional.empty());
      assertThat(operations.isRunning(KEY) || silentCluster.requests().size() > i)
          .as("begun")
          .isTrue();
      int requestsBefore = i;
      TestWait.until(
          "it is over",
          () -> silentCluster.requests().size() > requestsBefore && operations.runningJobs() == 0);
      time.advance(Outcome.UNANSWERED_LONGEST);
    }
    assertThat(operations.start(KEY, () -> JobResult.DONE))
        .isEqualTo(KeyedOperations.Start.STARTED);
    assertThat(events).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', no claim's",
    "ns/other, claim \"ns/other\"'s",
    "rival/other, that of a claim of another namespace"
  })
  void start_volumeOfAnotherClaim_isReportedAndNotRetriedAtOnce(String owner, String ownerText)
      throws InterruptedException {
    ClaimRef ref =
        owner.isEmpty()
            ? null
            : new ClaimRef(
                ObjectKey.of(owner.split("/", -1)[0], owner.split("/", -1)[1]), Uid.of("o"));
    assertThat(startTwice(ref, true)).isEqualTo(KeyedOperations.Start.BACKING_OFF);
    assertThat(events)
        .singleElement()
        .satisfies(event -> {
          assertThat(event.reason()).isEqualTo("ProvisioningFailed");
          assertThat(event.note())
              .contains("\"pvc-u\" exists already and is " + ownerText, "[VolumeNameTaken]")
              .doesNotContain("rival");
        });
  }

  @Test
  void start_kubernetesStyle_emitsNoEvent() throws InterruptedException {
    assertThat(startTwice(null, false)).isEqualTo(KeyedOperations.Start.BACKING_OFF);
    assertThat(events).isEmpty();
  }

  @Test
  void start_missingNode_createsNothing() throws InterruptedException {
    Claim claim = claim(Map.of(BinderMarks.SELECTED_NODE, "n"));
    assertThat(startTwice(claim, server(), false)).isEqualTo(KeyedOperations.Start.BACKING_OFF);
    assertThat(events)
        .singleElement()
        .satisfies(event -> {
          assertThat(event.reason()).isEqualTo("ProvisioningFailed");
          assertThat(event.note()).isEqualTo("Failed to get target node: node \"n\" not found");
        });
  }

  @Test
  void start_savedVolume_isFoundAgain() throws InterruptedException {
    assertThat(startTwice(new ClaimRef(KEY, Uid.of("u")), true))
        .isNotEqualTo(KeyedOperations.Start.BACKING_OFF);
    assertThat(events).isEmpty();
  }
}
