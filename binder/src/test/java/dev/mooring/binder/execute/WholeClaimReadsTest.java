package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.state.BinderState;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.SavePolicy;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Tests when the claim is annotated, when the complete claim is read for the plugin, and when the
 * answer to the annotation suffices.
 */
class WholeClaimReadsTest {
  private static final ObjectKey KEY = ObjectKey.of("ns", "c");
  private static final String ANNOTATE = "patch PersistentVolumeClaim ns/c";
  private static final String READ = "get PersistentVolumeClaim ns/c";
  private static final String FIND = "get PersistentVolume pvc-u";
  private static final StorageClass FAST =
      TestObjects.storageClass(ObjectKey.cluster("fast")).provisioner("disks").build();

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster().onWrite(this::trimAnswer);
  private final BinderState state = GivenState.of(time);
  private final List<Provisioner.Request> requests = new CopyOnWriteArrayList<>();
  private volatile boolean pluginNeedsFullClaims = true;
  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
  private final BinderReporter reporter =
      new BinderReporter(events::add, state.eventMemory(), EventStyle.EXPLAINING, false);
  private Attempt<Optional<String>> ignores = Attempt.done(Optional.empty());

  private final LoadedPlugins plugins =
      new TestPlugin("disks")
          .withProvisioner(
              new Provisioner() {
                @Override
                public Attempt<Optional<String>> ignores(Request request) {
                  return ignores;
                }

                @Override
                public boolean needsFullClaims(Map<String, String> parameters) {
                  return pluginNeedsFullClaims;
                }

                @Override
                public Attempt<Provisioned> provision(Request request) {
                  requests.add(request);
                  return new Attempt.Failed<>(new Failure.Rejected("no"));
                }
              })
          .loaded();

  /** Answers claim patches with the fields that caches keep. */
  private WriteResult<?> trimAnswer(Request request) {
    assertThat(request.verb()).as(request.toString()).isEqualTo(Verb.PATCH);
    WriteResult<Claim> result =
        server.cluster().patch(Kind.CLAIM, request.key(), request.document());
    return result instanceof WriteResult.Written<Claim>(Claim now)
        ? new WriteResult.Written<>(withoutLabels(now))
        : result;
  }

  /** Returns the claim as a cache has it. */
  private Claim claim(Map<String, String> annotations) {
    Claim fullClaim =
        TestObjects.claim(KEY)
            .uid("u")
            .labels(Map.of("team", "a"))
            .annotations(annotations)
            .storageClass("fast")
            .build();
    return withoutLabels(server.cluster().put(Kind.CLAIM, fullClaim));
  }

  private static Claim withoutLabels(Claim claim) {
    return TestObjects.like(claim).labels(Map.of()).build();
  }

  private void provision(Claim claim) throws InterruptedException {
    provision(claim, ProvisionerMark.WITH_VOLUME);
  }

  private void provision(Claim claim, ProvisionerMark mark) throws InterruptedException {
    ClusterPorts ports = TestPorts.of(server, event -> {}, time);
    VolumeProvisioner provisioner =
        new VolumeProvisioner(
            ports,
            plugins,
            reporter,
            new JobSaver(ports, reporter, SavePolicy.FEW_ATTEMPTS),
            state);
    new ClaimExecutor(ports, reporter, provisioner, state, mark)
        .execute(claim, new ClaimDecision.Provision(FAST, "disks"));
    TestWait.until("it is over", () -> state.provisions().runningJobs() == 0);
  }

  private List<String> requests() {
    return server.requests().stream().map(Object::toString).toList();
  }

  private void assertAskedWithAllLabels() {
    assertThat(requests)
        .singleElement()
        .satisfies(request -> assertThat(request.claim().labels()).containsEntry("team", "a"));
  }

  private String annotatedProvisioner() {
    return server.cluster().get(Kind.CLAIM, KEY).meta().annotation(BinderMarks.STORAGE_PROVISIONER);
  }

  @Test
  void provision_kubernetesOrder_annotatesFirstAndReadsNoClaim() throws InterruptedException {
    provision(claim(Map.of()), ProvisionerMark.BEFORE_CALL);
    assertAskedWithAllLabels();
    assertThat(requests()).containsExactly(ANNOTATE, FIND);
  }

  @Test
  void provision_claimOfAnotherProvisioner_isAnnotatedFirst() throws InterruptedException {
    provision(claim(Map.of(BinderMarks.BETA_STORAGE_PROVISIONER, "others")));
    assertAskedWithAllLabels();
    assertThat(requests()).containsExactly(ANNOTATE, FIND);
    assertThat(annotatedProvisioner()).isEqualTo("disks");
  }

  @Test
  void provision_refusedClaim_isAnnotatedAfterTheCall() throws InterruptedException {
    provision(claim(Map.of()));
    assertAskedWithAllLabels();
    assertThat(requests()).containsExactly(FIND, READ, ANNOTATE);
    assertThat(annotatedProvisioner()).isEqualTo("disks");
  }

  @Test
  void provision_pluginNeedsNoFullClaim_claimIsNotRead() throws InterruptedException {
    pluginNeedsFullClaims = false;
    provision(claim(Map.of()));
    assertThat(requests).hasSize(1);
    assertThat(requests()).containsExactly(FIND, ANNOTATE);
  }

  @Test
  void provision_claimAnnotatedBefore_isRead() throws InterruptedException {
    provision(claim(Map.of(BinderMarks.STORAGE_PROVISIONER, "disks")));
    assertAskedWithAllLabels();
    assertThat(requests()).containsExactly(FIND, READ);
  }

  @Test
  void provision_selectedNode_passesItsLabelsAndAnnotations() throws InterruptedException {
    server
        .cluster()
        .put(
            Kind.NODE,
            TestObjects.node("n1")
                .labels(Map.of("zone", "a"))
                .annotations(Map.of("example.com/rack", "7"))
                .build());
    provision(claim(Map.of(BinderMarks.SELECTED_NODE, "n1")));
    assertThat(requests)
        .extracting(Provisioner.Request::node)
        .containsExactly(
            new Provisioner.NodeInfo("n1", Map.of("zone", "a"), Map.of("example.com/rack", "7")));
  }

  @Test
  void provision_pluginIgnoresClaim_endsWithoutEventAndBackOff() throws InterruptedException {
    ignores = Attempt.done(Optional.of("team b serves it"));
    provision(claim(Map.of()));
    assertThat(requests).isEmpty();
    assertThat(events).isEmpty();
    assertThat(state.provisions().start(KEY, () -> JobResult.DONE))
        .isEqualTo(KeyedOperations.Start.STARTED);
  }

  @Test
  void provision_pluginDoesNotAnswerWhoServes_isReportedAndRetried() throws InterruptedException {
    ignores = new Attempt.Failed<>(new Failure.Unreachable("away"));
    provision(claim(Map.of()));
    assertThat(requests).isEmpty();
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.note()).contains("away"));
    assertThat(state.provisions().start(KEY, () -> JobResult.DONE))
        .isEqualTo(KeyedOperations.Start.BACKING_OFF);
  }

  @Test
  void provision_incompleteAnswer_isRead() throws InterruptedException {
    server.omitReadObject();
    provision(claim(Map.of()), ProvisionerMark.BEFORE_CALL);
    assertAskedWithAllLabels();
    assertThat(requests()).contains(READ);
  }

  @Test
  void provision_refusal_isIndependentOfSourceAndAnnotation() throws InterruptedException {
    provision(claim(Map.of()));
    provision(withoutLabels(server.cluster().get(Kind.CLAIM, KEY)));
    assertThat(requests).hasSize(1);
  }
}
