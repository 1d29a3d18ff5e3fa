package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.CodedMessage;
import dev.mooring.binder.decide.Reason;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimExplainerTest {
  private static final String DRIVER = "block.example.com";
  private static final Claim CLAIM =
      TestObjects.claim("ns", "c").request("1Gi").storageClass("fast").build();
  private static final Claim CLAIM_OF_DRIVER =
      TestObjects.like(CLAIM).annotation(BinderMarks.STORAGE_PROVISIONER, DRIVER).build();

  private static StorageClass storageClass(StorageClass.Binding binding) {
    return TestObjects.storageClass("fast").provisioner(DRIVER).binding(binding).build();
  }

  private static GivenClusterView clusterView(Claim claim, StorageClass storageClass) {
    return new GivenClusterView()
        .with(Informer.of(Kind.POD, List.of(IndexSet.PODS_BY_CLAIM), List.of()))
        .with(Kind.CLAIM, List.of(claim))
        .with(Kind.STORAGE_CLASS, List.of(storageClass));
  }

  private static Explanation explain(GivenClusterView clusterView) throws InterruptedException {
    return new ClaimExplainer(
            clusterView, BinderPolicy.DEFAULTS, new SnapshotIndex(BinderPolicy.DEFAULTS))
        .explain(CLAIM.key(), Explainer.Detail.EVIDENCE)
        .getFirst();
  }

  private static Claim scheduled(String node) {
    return TestObjects.like(CLAIM)
        .annotation(BinderMarks.SELECTED_NODE, node)
        .annotation(BinderMarks.STORAGE_PROVISIONER, DRIVER)
        .build();
  }

  private static GivenClusterView clusterWithNodes(Claim claim) {
    return clusterView(claim, storageClass(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER))
        .with(
            Kind.NODE,
            List.of(TestObjects.node("cloud").build(), TestObjects.node("metal").build()));
  }

  @Test
  void explain_nodeDoesNotRunTheDriver_namesNodeAndDriver() throws InterruptedException {
    GivenClusterView clusterView =
        clusterWithNodes(scheduled("metal"))
            .with(
                Kind.CSI_NODE,
                List.of(
                    TestObjects.csiNode("cloud").driver(DRIVER, "i-1").build(),
                    TestObjects.csiNode("metal").driver("other", "i-2").build()));
    Explanation explanation = explain(clusterView);
    assertThat(explanation.cause().code()).isEqualTo("NodeWithoutDriver");
    assertThat(explanation.message())
        .isEqualTo(
            "the scheduler selected node metal, and driver " + DRIVER + " does not run there");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
    assertThat(explanation.nextStep().text()).contains("install the driver on the node");
  }

  /** A provisioner that is not a CSI driver runs on no node, and CSINodes may be unreadable. */
  @Test
  void explain_provisionerMayRunWithoutNodePart_waitsForProvisioner() throws InterruptedException {
    GivenClusterView noDriver =
        clusterWithNodes(scheduled("metal"))
            .with(
                Kind.CSI_NODE, List.of(TestObjects.csiNode("metal").driver("other", "i").build()));
    assertThat(explain(noDriver).cause().code()).isEqualTo("ExternalProvisioner");
    GivenClusterView hidden =
        clusterWithNodes(scheduled("metal")).withReadError(Kind.CSI_NODE, "403");
    assertThat(explain(hidden).cause().code()).isEqualTo("ExternalProvisioner");
    GivenClusterView clusterWithDriver =
        clusterWithNodes(scheduled("cloud"))
            .with(Kind.CSI_NODE, List.of(TestObjects.csiNode("cloud").driver(DRIVER, "i").build()));
    assertThat(explain(clusterWithDriver).cause().code()).isEqualTo("ExternalProvisioner");
  }

  @Test
  void explain_restoredVolumeHasAnotherUid_namesTheRemedy() throws InterruptedException {
    Claim lostClaim =
        TestObjects.like(CLAIM)
            .uid("new")
            .volumeName("v")
            .annotation(BinderMarks.BIND_COMPLETED, "yes")
            .phase(ClaimPhase.LOST)
            .build();
    GivenClusterView clusterView =
        clusterView(lostClaim, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(
                Informer.of(
                    Kind.VOLUME,
                    List.of(),
                    List.of(TestObjects.volume("v").claimRef(CLAIM.key(), "old").build())));
    Explanation explanation = explain(clusterView);
    assertThat(explanation.cause().code()).isEqualTo("ClaimUidDiffers");
    assertThat(explanation.message())
        .endsWith("the claimRef of volume \"v\" has uid old, the claim has uid new");
    assertThat(explanation.nextStep().text()).contains("set claimRef.uid of the volume");
  }

  @Test
  void explain_requestLargerThanCsiLimit_namesRefusalAndRemedy() throws InterruptedException {
    Claim claim =
        TestObjects.like(CLAIM)
            .request("10E")
            .annotation(BinderMarks.STORAGE_PROVISIONER, DRIVER)
            .build();
    Explanation explanation =
        explain(clusterView(claim, storageClass(StorageClass.Binding.IMMEDIATE)));
    assertThat(explanation.cause().code()).isEqualTo("PluginRefused");
    assertThat(explanation.message())
        .isEqualTo(
            "the claim requests 10E, and CSI drivers can provide at most 9223372036854775807 bytes:"
                + " request less");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
    assertThat(explanation.nextStep().text())
        .isEqualTo("delete the claim and create it again with a smaller request");
  }

  /** Plugin that provisions volumes and rejects nothing in a dry run. */
  private static final LoadedPlugins PLUGIN =
      new TestPlugin(DRIVER).withProvisioner(request -> Attempt.rejected("not asked")).loaded();

  /** Leaves every claim and volume to another provisioner. */
  private static final class Ignoring implements Provisioner, Deleter {
    @Override
    public Attempt<Optional<String>> ignores(Provisioner.Request request) {
      return Attempt.done(Optional.of("label team is b"));
    }

    @Override
    public Attempt<Optional<String>> ignores(Deleter.Request request) {
      return Attempt.done(Optional.of("label team is b"));
    }

    @Override
    public Attempt<Provisioned> provision(Provisioner.Request request) {
      throw new AssertionError(request);
    }

    @Override
    public Attempt<Deleted> delete(Deleter.Request request) {
      throw new AssertionError(request);
    }
  }

  private static final Deleter NEVER_DELETES =
      request -> {
        throw new AssertionError(request);
      };

  private static Volume releasedVolume() {
    return TestObjects.volume("v")
        .claimRef(ObjectKey.of("ns", "gone"), "g")
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .phase(VolumePhase.RELEASED)
        .annotation(BinderMarks.PROVISIONED_BY, DRIVER)
        .build();
  }

  private static Explanation explainVolume(GivenClusterView clusterView)
      throws InterruptedException {
    return new VolumeExplainer(
            clusterView,
            BinderPolicy.DEFAULTS,
            new SnapshotIndex(BinderPolicy.DEFAULTS),
            new SimTime())
        .explain(ObjectKey.cluster("v"), Explainer.Detail.EVIDENCE)
        .getFirst();
  }

  @Test
  void explain_pluginIgnoresClaim_waitsForOtherProvisioner() throws InterruptedException {
    Explanation explanation =
        explain(
            clusterView(CLAIM_OF_DRIVER, storageClass(StorageClass.Binding.IMMEDIATE))
                .with(new TestPlugin(DRIVER).withProvisioner(new Ignoring()).loaded()));
    assertThat(explanation.cause().code()).isEqualTo("ExternalProvisioner");
    assertThat(explanation.message())
        .isEqualTo(
            "no volume suits; plugin block.example.com leaves the claim to another provisioner of that name: label team is b");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PROVISIONER);
  }

  @Test
  void explain_pluginIgnoresReleasedVolume_waitsForOtherProvisioner() throws InterruptedException {
    GivenClusterView clusterView =
        clusterView(CLAIM, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(Kind.VOLUME, List.of(releasedVolume()))
            .with(
                new TestPlugin(DRIVER)
                    .withProvisioner(new Ignoring())
                    .withDeleter(new Ignoring())
                    .loaded());
    Explanation explanation = explainVolume(clusterView);
    assertThat(explanation.cause().code()).isEqualTo("DeletedByOthers");
    assertThat(explanation.message())
        .isEqualTo(
            "claim ns/gone is gone; plugin block.example.com leaves the volume to another provisioner of that name: label team is b");
    assertThat(explanation.nextStep().text())
        .isEqualTo("block.example.com of another process deletes it, if it runs");
  }

  /** The API server stores such a claimRef, and no claim of any namespace matches it. */
  @ParameterizedTest
  @CsvSource({"'', c, namespace", "ns, '', name"})
  void explain_claimRefLacksField_namesTheField(String namespace, String name, String field)
      throws InterruptedException {
    Volume volume =
        TestObjects.volume("v")
            .claimRef(ObjectKey.of(namespace, name), "")
            .phase(VolumePhase.AVAILABLE)
            .build();
    GivenClusterView clusterView =
        clusterView(CLAIM, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(Kind.VOLUME, List.of(volume));
    Explanation explanation = explainVolume(clusterView);
    assertThat(explanation.message()).startsWith("its claimRef has no " + field);
    assertThat(explanation.nextStep().text()).startsWith("set claimRef." + field);
  }

  @Test
  void explain_surplusVolume_namesClaimThatHasAnother() throws InterruptedException {
    Claim bound = TestObjects.like(CLAIM).uid("u").volumeName("other").build();
    Volume surplus = TestObjects.like(releasedVolume()).claimRef(bound).build();
    GivenClusterView clusterView =
        clusterView(bound, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(Kind.VOLUME, List.of(surplus));
    assertThat(explainVolume(clusterView).message()).isEqualTo("claim ns/c has another volume");
  }

  @Test
  void explain_deletedVolumeWithoutClaim_namesNoClaim() throws InterruptedException {
    Volume deleted =
        TestObjects.like(releasedVolume())
            .noClaimRef()
            .deleting()
            .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")
            .finalizers(BinderMarks.IN_TREE_FINALIZER)
            .build();
    GivenClusterView clusterView =
        clusterView(CLAIM, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(Kind.VOLUME, List.of(deleted))
            .with(new TestPlugin("kubernetes.io/host-path").withDeleter(NEVER_DELETES).loaded());
    assertThat(explainVolume(clusterView).message()).startsWith("it has no claim");
  }

  private static PastEvent failed(Reason reason, String message) {
    return new PastEvent(Uid.of("e"), ClusterEvent.Type.WARNING, message, reason.event(), 1);
  }

  @ParameterizedTest
  @CsvSource({"PLUGIN_REFUSED, PluginRefused, PERSON", "PLUGIN_FAILED, PluginFailed, CONTROLLER"})
  void explain_pluginRefusedFinally_waitsForAPerson(Reason reason, String code, StepActor actor)
      throws InterruptedException {
    GivenClusterView clusterView =
        clusterView(CLAIM_OF_DRIVER, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(PLUGIN)
            .withEvents(
                failed(
                    Reason.PLUGIN_FAILED,
                    CodedMessage.encode(reason, "the directory is another volume's")));
    Explanation explanation = explain(clusterView);
    assertThat(explanation.cause().code()).isEqualTo(code);
    assertThat(explanation.message()).isEqualTo("the directory is another volume's");
    assertThat(explanation.nextStep().actor()).isEqualTo(actor);
  }

  @Test
  void explain_attemptsGivenUp_waitsForAPerson() throws InterruptedException {
    Explanation explanation =
        explain(
            clusterView(CLAIM_OF_DRIVER, storageClass(StorageClass.Binding.IMMEDIATE))
                .with(PLUGIN)
                .withEvents(failed(Reason.PLUGIN_FAILED, "full; given up until it changes")));
    assertThat(explanation.cause().code()).isEqualTo("PluginFailed");
    assertThat(explanation.message()).isEqualTo("full; given up until it changes");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
    assertThat(explanation.nextStep().text()).contains("change the claim");
  }

  @Test
  void explain_volumeDeletionGivenUp_waitsForAPerson() throws InterruptedException {
    GivenClusterView clusterView =
        clusterView(CLAIM, storageClass(StorageClass.Binding.IMMEDIATE))
            .with(Kind.VOLUME, List.of(releasedVolume()))
            .with(
                new TestPlugin(DRIVER)
                    .withProvisioner(request -> Attempt.rejected("not asked"))
                    .withDeleter(NEVER_DELETES)
                    .loaded())
            .withEvents(failed(Reason.DELETE_FAILED, "busy; given up until it changes"));
    Explanation explanation = explainVolume(clusterView);
    assertThat(explanation.cause().code()).isEqualTo("DeleteFailed");
    assertThat(explanation.message())
        .isEqualTo("claim ns/gone is gone; busy; given up until it changes");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
    assertThat(explanation.nextStep().text()).contains("change the volume");
  }

  @Test
  void explain_storageReportedInfeasibleRequest_waitsForAPerson() throws InterruptedException {
    String message =
        "Volume provisioning failed with infeasible error. Retries will be delayed. node n1 has no"
            + " paths for volumes";
    Explanation explanation =
        explain(
            clusterView(CLAIM_OF_DRIVER, storageClass(StorageClass.Binding.IMMEDIATE))
                .with(PLUGIN)
                .withEvents(failed(Reason.PLUGIN_FAILED, message)));
    assertThat(explanation.cause().code()).isEqualTo("PluginRefused");
    assertThat(explanation.message()).isEqualTo(message);
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
  }
}
