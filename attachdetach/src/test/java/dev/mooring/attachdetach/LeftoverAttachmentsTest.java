package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Stepwise;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What requests do that a controller had sent before it was killed. */
class LeftoverAttachmentsTest {
  private static final ObjectKey NAME =
      VolumeId.csi("d", "h-v").csi().orElseThrow().attachment("n1");

  private static final String UNIQUE = "kubernetes.io/csi/d^h-v";

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private Stepwise steps;

  private void begin(Compat compat) throws InterruptedException {
    if (cluster.nodes.snapshot().size() == 0) {
      cluster.node("n1");
    }
    cluster.boundVolume("v", "ReadWriteOnce");
    steps =
        cluster.begin(
            time, new AttachDetachConfig(Optional.of(Duration.ofMinutes(1)), true, false, compat));
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void until(BooleanSupplier condition) {
    Patience.until("it comes to that", () -> steps.stepTo(condition));
  }

  /**
   * The same, while time goes by: a look that runs is not begun again, but the next minute's is.
   */
  private void untilLater(BooleanSupplier condition) throws InterruptedException {
    until(() -> {
      time.advance(Duration.ofSeconds(1));
      return condition.getAsBoolean();
    });
  }

  private void aMinute() throws InterruptedException {
    until(steps::isIdle);
    time.advance(Duration.ofMinutes(1));
    until(steps::isIdle);
  }

  private boolean isGone() {
    return cluster
        .attachments
        .snapshot()
        .get(NAME)
        .filter(attachment -> !attachment.meta().isBeingDeleted())
        .isEmpty();
  }

  private Volume volume() {
    return cluster.volumes.snapshot().get(ObjectKey.cluster("v")).orElseThrow();
  }

  /** It gave the node another version, and was killed before it could strike it off. */
  @Test
  void whatAKilledProcessListedForAMomentIsStruckOff() throws Exception {
    cluster.node("n1", "True", List.of(), List.of(), Map.of(VolumeId.NONE, ""));
    begin(Compat.MOORING);
    until(
        () -> cluster.nodes.get(ObjectKey.cluster("n1")).orElseThrow().volumesAttached().isEmpty());
  }

  @Test
  void anAttachmentThatCameAfterItsVolumeWentIsDeleted() throws Exception {
    begin(Compat.MOORING);
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(NAME, "v", "n1", false, false, "persistentvolume v not found", "");
    aMinute();
    until(this::isGone);
  }

  @Test
  void oneWhoseVolumeOnlyTheCacheHasLostStays() throws Exception {
    begin(Compat.MOORING);
    cluster.onlyLive(Kind.VOLUME, volume());
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(NAME, "v", "n1", false, false, "", "");
    aMinute();
    until(() -> cluster.reads().contains(Kind.VOLUME + " v"));
    until(steps::isIdle);
    assertThat(isGone()).isFalse();
  }

  @Test
  void kubernetesLeavesItThere() throws Exception {
    begin(Compat.KUBERNETES);
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(NAME, "v", "n1", false, false, "", "");
    aMinute();
    aMinute();
    assertThat(isGone()).isFalse();
    assertThat(cluster.reads()).isEmpty();
  }

  /** It would be on two nodes until the next verification. */
  @Test
  void oneThatNobodyNeedsIsDetachedAsSoonAsItIsSeen() throws Exception {
    begin(Compat.MOORING);
    until(steps::isIdle);
    cluster.attachment(NAME, "v", "n1", false, false, "", "");
    until(this::isGone);
  }

  private static ObjectKey attachmentTo(String node) {
    return VolumeId.csi("d", "h-v").csi().orElseThrow().attachment(node);
  }

  /**
   * A killed process asked for one attachment too many, and its successor was killed while it took
   * it away. Both nodes say that they use the volume, as kubelets do before they mount.
   */
  private void twoThatMayHaveIt() throws InterruptedException {
    cluster.attachment(NAME, "v", "n1", true, true, "", "");
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, true, "", "");
    cluster.node("n1", UNIQUE);
    cluster.node("n2", UNIQUE);
    pod("a", "n1", Pod.Phase.PENDING);
    pod("b", "n2", Pod.Phase.PENDING);
    begin(Compat.MOORING);
    until(steps::isIdle);
    assertThat(listed("n2")).as("nobody can know who has it").isEmpty();
  }

  private void pod(String name, String node, Pod.Phase phase) {
    cluster.pod(AttachCluster.NS, name, "uid-" + name, node, phase, "v");
  }

  private boolean isAskedFor(String node) {
    return cluster.attachments.snapshot().get(attachmentTo(node)).isPresent();
  }

  private void theFirstIsGone() {
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(NAME).orElseThrow());
  }

  private Set<String> listed(String node) {
    return cluster
        .nodes
        .snapshot()
        .get(ObjectKey.cluster(node))
        .orElseThrow()
        .volumesAttached()
        .keySet();
  }

  @Test
  void ofTwoThatMayHaveAVolumeTheOneGetsItThatTheDriverGaveItTo() throws Exception {
    twoThatMayHaveIt();
    theFirstIsGone();
    untilLater(() -> listed("n2").contains(UNIQUE));
    assertThat(listed("n1")).isEmpty();
  }

  /** As long as its pod is there the attachment that came too late is left: the node may use it. */
  @Test
  void alsoIfTheOthersAttachmentStaysAndIsRefused() throws Exception {
    twoThatMayHaveIt();
    cluster.attachment(NAME, "v", "n1", false, false, "it is on n2", "");
    untilLater(() -> listed("n2").contains(UNIQUE));
    assertThat(listed("n1")).isEmpty();
  }

  @Test
  void evenIfTheDriverGivesItLater() throws Exception {
    twoThatMayHaveIt();
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, false, "", "");
    theFirstIsGone();
    aMinute();
    assertThat(listed("n2")).as("the driver has not said so").isEmpty();
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, true, "", "");
    untilLater(() -> listed("n2").contains(UNIQUE));
  }

  @Test
  void nobodyGetsItWhileAnAttachmentOfAnotherNameAttachesItElsewhere() throws Exception {
    ObjectKey byHand = ObjectKey.cluster("made-by-hand");
    cluster.attachment(byHand, "v", "n1", false, true, "", "");
    twoThatMayHaveIt();
    theFirstIsGone();
    aMinute();
    aMinute();
    assertThat(listed("n2")).isEmpty();
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(byHand).orElseThrow());
    untilLater(() -> listed("n2").contains(UNIQUE));
  }

  /** It would be attached and detached again and again while its detach is refused. */
  @Test
  void nobodyGetsItWhereNoPodWantsIt() throws Exception {
    twoThatMayHaveIt();
    cluster.onDelete = new WriteResult.Rejected<>(403, "no");
    cluster.remove(
        cluster.pods,
        cluster.pods.snapshot().get(ObjectKey.of(AttachCluster.NS, "b")).orElseThrow());
    until(steps::isIdle);
    theFirstIsGone();
    aMinute();
    aMinute();
    assertThat(listed("n2")).isEmpty();
  }

  /**
   * The cache has yet to hear that the node uses the volume, so it is to be taken from the node:
   * its status goes on to list it when it stays, else the other would get it.
   */
  @Test
  void oneThatANodeWasToldOfAndUsesGoesToNobody() throws Exception {
    Map<String, String> listing = Map.of(UNIQUE, "");
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.attachment(NAME, "v", "n1", false, true, "", "");
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, false, "it is on n1", "");
    cluster.node("n2", UNIQUE);
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    cluster.node("n1", "True", List.of(), List.of(), listing);
    begin(Compat.MOORING);
    until(steps::isIdle);
    Node using = cluster.node("n1", "True", List.of(), List.of(UNIQUE), listing);
    cluster.node("n1", "True", List.of(), List.of(), listing);
    cluster.onlyLive(Kind.NODE, using);
    cluster.onStatus =
        patch -> {
          cluster.live.clear(); // the answer is the node as it is
          cluster.onStatus = null;
          cluster.node("n1", "True", List.of(), List.of(UNIQUE), listing);
          return new WriteResult.Written<>(using);
        };
    theFirstIsGone();
    until(() -> cluster.onStatus == null);
    until(steps::isIdle);
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, true, "", "");
    aMinute();
    aMinute();
    assertThat(listed("n2")).isEmpty();
    assertThat(listed("n1")).containsExactly(UNIQUE);
  }

  @Test
  void nobodyGetsItWhileOnlyTheCacheHasLostTheOther() throws Exception {
    twoThatMayHaveIt();
    cluster.onlyLive(Kind.ATTACHMENT, cluster.attachments.snapshot().get(NAME).orElseThrow());
    theFirstIsGone();
    aMinute();
    until(() -> cluster.reads().contains(Kind.ATTACHMENT + " " + NAME));
    until(steps::isIdle);
    assertThat(listed("n2")).isEmpty();
  }

  @Test
  void nobodyGetsItWhileAPodOnTheOtherNodeRunsWithIt() throws Exception {
    twoThatMayHaveIt();
    pod("a", "n1", Pod.Phase.RUNNING);
    theFirstIsGone();
    aMinute();
    aMinute();
    assertThat(listed("n2")).isEmpty();
  }

  /** Somebody has removed its attachment, and its node's list does not tell of it either. */
  @Test
  void aNodeWhereAPodRunsWithItHasItThoughNothingElseTellsOfIt() throws Exception {
    cluster.node("n1", UNIQUE);
    cluster.node("n2", UNIQUE);
    pod("a", "n1", Pod.Phase.PENDING);
    pod("b", "n2", Pod.Phase.RUNNING);
    begin(Compat.MOORING);
    until(() -> isAskedFor("n2"));
    until(steps::isIdle);
    assertThat(isAskedFor("n1")).as("another runs with it").isFalse();
  }

  @Test
  void whatANodeStillUsesThoughItsPodsAreGoneNoOtherGets() throws Exception {
    cluster.node("n1", UNIQUE);
    cluster.node("n2");
    pod("b", "n2", Pod.Phase.PENDING);
    begin(Compat.MOORING);
    until(steps::isIdle);
    assertThat(isAskedFor("n2")).as("n1 has not unmounted it yet").isFalse();
    cluster.node("n1");
    until(() -> isAskedFor("n2"));
  }

  /** A kubelet that waits for a volume says that it uses it. */
  @Test
  void whatPodsOfAnotherNodeWaitForIsNotTheirs() throws Exception {
    cluster.node("n1", UNIQUE);
    cluster.node("n2");
    pod("a", "n2", Pod.Phase.PENDING);
    pod("b", "n1", Pod.Phase.PENDING);
    begin(Compat.MOORING);
    until(() -> isAskedFor("n1"));
    until(steps::isIdle);
    assertThat(isAskedFor("n2")).isFalse();
  }

  /** One of them can have it mounted, and both would wait for each other. */
  @Test
  void ofTwoThatSayThatTheyUseWhatNoPodNeedsNeitherIsBelieved() throws Exception {
    cluster.node("n1", UNIQUE);
    cluster.node("n2", UNIQUE);
    begin(Compat.MOORING);
    until(steps::isIdle);
    pod("a", "n1", Pod.Phase.PENDING);
    pod("b", "n2", Pod.Phase.PENDING);
    until(() -> isAskedFor("n1"));
  }

  @Test
  void whatANodeThatAttachesItselfUsesIsNotTakenOver() throws Exception {
    cluster.unmanagedNode("n1", UNIQUE);
    cluster.node("n2");
    pod("b", "n2", Pod.Phase.PENDING);
    begin(Compat.MOORING);
    until(() -> isAskedFor("n2"));
  }

  /** It was taken from the first by force, which has not been told. */
  @Test
  void whatANodeUsesThatAnotherHasIsNotTakenOver() throws Exception {
    cluster.node("n1", UNIQUE);
    cluster.node("n2", "True", List.of(), List.of(UNIQUE), Map.of(UNIQUE, ""));
    cluster.attachment(attachmentTo("n2"), "v", "n2", false, true, "", "");
    pod("b", "n2", Pod.Phase.PENDING);
    begin(Compat.MOORING);
    until(steps::isIdle);
    Set<String> before = listed("n2");
    pod("c", "n1", Pod.Phase.PENDING);
    until(steps::isIdle);
    assertThat(before).containsExactly(UNIQUE);
    assertThat(isAskedFor("n1")).isFalse();
  }

  /** What it says it said long ago: its volumes may have been taken from it by force since. */
  @Test
  void whatANodeThatIsNotWellUsedIsNotBelieved() throws Exception {
    cluster.node("n1", "Unknown", List.of(), List.of(UNIQUE), Map.of());
    cluster.node("n2");
    pod("b", "n2", Pod.Phase.PENDING);
    begin(Compat.MOORING);
    until(() -> isAskedFor("n2"));
  }
}
