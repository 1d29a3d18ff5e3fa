package dev.mooring.attachdetach.state;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatesOfWorldTest {
  private static final VolumeId V = VolumeId.csi("d", "v");
  private static final VolumeId W = VolumeId.csi("d", "w");

  private final DesiredStateOfWorld desired = new DesiredStateOfWorld();
  private final ActualStateOfWorld actual = new ActualStateOfWorld();

  private static AttachTarget target(VolumeId id) {
    return new AttachTarget(id, id.name(), true, "pv", VolumeSource.csi("d", "v"), Map.of());
  }

  private static PodUse use(String pod, String uid, String node) {
    return new PodUse(ObjectKey.of("ns", pod), Uid.of(uid), node);
  }

  @Test
  void use_samePodTwice_isOneUse() {
    assertThat(desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of()))
        .containsExactly(new VolumeNode(V, "n1"));
    assertThat(desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of())).isEmpty();
    assertThat(desired.uses(V)).hasSize(1);
  }

  @Test
  void end_oneOfTwoPods_keepsVolumeNeeded() {
    desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of());
    desired.use(use("q", "2", "n1"), List.of(target(V)), Set.of());
    assertThat(desired.end(ObjectKey.of("ns", "p"))).containsExactly(new VolumeNode(V, "n1"));
    assertThat(desired.isNeeded(V, "n1")).isTrue();
    desired.end(ObjectKey.of("ns", "q"));
    assertThat(desired.isNeeded(V, "n1")).isFalse();
    assertThat(desired.uses(V)).isEmpty();
  }

  /** An exclusive volume goes to the node whose pod is the oldest, also after others have ended. */
  @Test
  void uses_severalPods_areOldestFirst() {
    desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of());
    desired.use(use("q", "2", "n2"), List.of(target(V)), Set.of());
    desired.use(use("r", "3", "n1"), List.of(target(V)), Set.of());
    desired.end(ObjectKey.of("ns", "p"));
    assertThat(desired.uses(V))
        .extracting(VolumeUse::pod)
        .containsExactly(use("q", "2", "n2"), use("r", "3", "n1"));
    assertThat(desired.uses(V, "n1"))
        .extracting(VolumeUse::pod)
        .containsExactly(use("r", "3", "n1"));
  }

  /** In Kubernetes the old pod stays until the next clean-up, a minute later. */
  @Test
  void use_newPodOfSameName_replacesOldPod() {
    desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of());
    assertThat(desired.use(use("p", "2", "n2"), List.of(target(V)), Set.of()))
        .containsExactly(new VolumeNode(V, "n1"), new VolumeNode(V, "n2"));
    assertThat(desired.uses(V)).extracting(VolumeUse::pod).containsExactly(use("p", "2", "n2"));
  }

  @Test
  void use_volumeNoLongerResolved_isStillNeeded() {
    desired.use(use("p", "1", "n1"), List.of(target(V), target(W)), Set.of());
    assertThat(desired.use(use("p", "1", "n1"), List.of(target(W)), Set.of())).isEmpty();
    assertThat(desired.isNeeded(V, "n1")).isTrue();
  }

  @Test
  void use_unattachableVolume_isRemoved() {
    desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of());
    assertThat(desired.use(use("p", "1", "n1"), List.of(), Set.of(V)))
        .containsExactly(new VolumeNode(V, "n1"));
    assertThat(desired.findUse(ObjectKey.of("ns", "p"))).isNull();
  }

  @Test
  void setAttached_uncertainVolume_isListed() {
    assertThat(actual.setUncertain(V, "n1", target(V))).isTrue();
    assertThat(actual.attachState(V, "n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(actual.createStatusList("n1")).isEmpty();
    actual.setAttached(V, "n1", "/dev/x", target(V));
    assertThat(actual.attachState(V, "n1")).isEqualTo(AttachState.ATTACHED);
    assertThat(actual.createStatusList("n1")).containsExactly(Map.entry(V.text(), "/dev/x"));
  }

  private boolean removeVolumeUnlessChanged(long change) {
    return actual.updateUnlessChanged(V, "n1", change, () -> actual.remove(V, "n1"));
  }

  /** The second of two checks must not undo a change that came between them. */
  @Test
  void updateUnlessChanged_staleRead_isIgnored() {
    actual.setAttached(V, "n1", "", target(V));
    long change = actual.change(V, "n1");
    assertThat(removeVolumeUnlessChanged(change)).isTrue();
    actual.startAttach(target(V), "n1");
    assertThat(removeVolumeUnlessChanged(change)).isFalse();
    assertThat(actual.attachState(V, "n1")).isEqualTo(AttachState.UNCERTAIN);
    actual.setAttached(V, "n1", "", target(V));
    assertThat(removeVolumeUnlessChanged(change)).as("attached again, by another attach").isFalse();
    assertThat(actual.attachState(V, "n1")).isEqualTo(AttachState.ATTACHED);
  }

  @Test
  void setUnneeded_calledTwice_recordsFirstTime() {
    actual.setAttached(V, "n1", "", null);
    actual.setUnneeded(V, "n1", 5);
    actual.setUnneeded(V, "n1", 9);
    assertThat(actual.entries(V).getFirst().unneededSince()).isEqualTo(5);
    actual.setNeeded(V, "n1");
    assertThat(actual.entries(V).getFirst().unneededSince()).isZero();
  }

  @Test
  void setListed_attachedVolume_changesStatusList() {
    actual.setAttached(V, "n1", "", null);
    actual.setListed(V, "n1", false);
    assertThat(actual.createStatusList("n1")).isEmpty();
    actual.setListed(V, "n1", true);
    assertThat(actual.createStatusList("n1")).hasSize(1);
    actual.remove(V, "n1");
    actual.setListed(V, "n1", true);
    assertThat(actual.createStatusList("n1")).isEmpty();
    assertThat(actual.volumesOn("n1")).isEmpty();
  }

  /** In Kubernetes both nodes report the last path. */
  @Test
  void createStatusList_twoNodes_haveOwnDevicePaths() {
    actual.setAttached(V, "n1", "/dev/a", null);
    actual.setAttached(V, "n2", "/dev/b", null);
    assertThat(actual.createStatusList("n1")).containsValue("/dev/a");
    assertThat(actual.createStatusList("n2")).containsValue("/dev/b");
  }

  @Test
  void wasInUse_deletedNode_usesLastReport() {
    actual.setAttached(V, "n1", "", null);
    actual.setAttached(W, "n1", "", null);
    assertThat(actual.wasInUse(V, "n1")).as("the last report is unknown").isTrue();
    actual.recordDeletedNode("n1", List.of(V.text()));
    assertThat(actual.wasInUse(V, "n1")).isTrue();
    assertThat(actual.wasInUse(W, "n1")).isFalse();
  }

  @Test
  void recordReport_reportOfVolumeEnds_isNeverListedUntilListed() {
    actual.addOnlyInUse(V, "n1");
    actual.setAttached(W, "n1", "", null);
    actual.recordReport("n1", List.of(V.text()), Set.of());
    assertThat(actual.isNeverListed(V, "n1")).as("still reported").isFalse();
    actual.recordReport("n1", List.of(), Set.of());
    assertThat(actual.isNeverListed(V, "n1")).isTrue();
    assertThat(actual.isNeverListed(W, "n1")).as("other evidence").isFalse();
    actual.recordReport("n1", List.of(V.text()), Set.of());
    assertThat(actual.isNeverListed(V, "n1")).as("reported again").isTrue();
    actual.recordReport("n1", List.of(V.text()), Set.of(V.text()));
    assertThat(actual.isNeverListed(V, "n1")).as("listed").isFalse();
    actual.recordReport("n1", List.of(), Set.of());
    actual.remove(V, "n1");
    assertThat(actual.isNeverListed(V, "n1")).as("forgotten with the volume").isFalse();
  }

  @Test
  void findAttachmentOnlyNodes_attachStarts_isEmpty() {
    actual.addFromAttachment(V, "n1", target(V));
    actual.setUncertain(V, "n2", null);
    assertThat(requireNonNull(actual.findContest(V)).nodes()).containsExactly("n1", "n2");
    assertThat(actual.findAttachmentOnlyNodes(V).keySet()).containsExactly("n1");
    actual.setUncertain(V, "n1", null);
    assertThat(actual.findAttachmentOnlyNodes(V))
        .as("a detach")
        .containsEntry("n1", actual.change(V, "n1"));
    actual.startAttach(target(V), "n1");
    assertThat(actual.findAttachmentOnlyNodes(V)).isEmpty();
  }

  @Test
  void findAttachmentOnlyNodes_listedVolume_isEmpty() {
    actual.addFromAttachment(V, "n1", target(V));
    assertThat(actual.findContestedVolumes("n1")).containsExactly(V);
    actual.setAttached(V, "n1", "", target(V));
    actual.setUncertain(V, "n1", null);
    assertThat(actual.findAttachmentOnlyNodes(V)).isEmpty();
    assertThat(actual.findContestedVolumes("n1")).isEmpty();
  }

  @Test
  void addFromAttachment_attachedVolume_isIgnored() {
    actual.setAttached(V, "n1", "", target(V));
    actual.addFromAttachment(V, "n1", target(V));
    assertThat(actual.attachState(V, "n1")).isEqualTo(AttachState.ATTACHED);
  }

  @Test
  void countByPlugin_volumesOnNodes_countsVolumeNodes() {
    actual.setAttached(V, "n1", "", target(V));
    actual.setAttached(V, "n2", "", target(V));
    actual.setAttached(W, "n1", "", null);
    assertThat(actual.countByPlugin()).containsExactly(Map.entry("kubernetes.io/csi:d", 2));
    desired.use(use("p", "1", "n1"), List.of(target(V)), Set.of());
    desired.use(use("q", "2", "n1"), List.of(target(V)), Set.of());
    assertThat(desired.countByPlugin()).containsExactly(Map.entry("kubernetes.io/csi:d", 1));
  }
}
