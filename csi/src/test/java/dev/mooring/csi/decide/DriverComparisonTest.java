package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DriverComparisonTest {
  private static Meta meta(String name) {
    return TestObjects.metaOf(ObjectKey.cluster(name)).meta();
  }

  private static Volume volume(String name, String driver, String id) {
    return DriverClaims.volume(meta(name), VolumeSource.csi(driver, id));
  }

  private static Attachment attachment(String name, String volume, String node, boolean attached) {
    return new Attachment(
        meta(name), "d", volume, Attachment.InlineVolume.NONE, node, attached, "", "");
  }

  private static CsiNode node(String name) {
    return new CsiNode(meta(name), List.of(new CsiNode.Driver("d", "id-" + name, List.of(), -1)));
  }

  private static ListedVolume listedOn(String... nodes) {
    return new ListedVolume(7, List.of(nodes));
  }

  @Test
  void findings_missingOnEitherSide_areReported() {
    List<DriverFinding> findings =
        DriverComparison.findings(
            "d",
            Map.of("known", listedOn(), "unknown", listedOn()),
            true,
            new DriverComparison.ClusterState(
                List.of(
                    volume("a", "d", "known"),
                    volume("b", "d", "missing"),
                    volume("c", "other", "unknown")),
                List.of(
                    attachment("va-gone", "nowhere", "n1", false),
                    attachment("va-other", "c", "n1", true)),
                List.of(node("n1")),
                Map.of(),
                Set.of()));
    assertThat(findings)
        .containsExactly(
            new DriverFinding.UnknownVolume("unknown", 7),
            new DriverFinding.MissingVolume("b", "missing"),
            new DriverFinding.DanglingAttachment("va-gone", "nowhere"));
    assertThat(findings)
        .extracting(DriverFinding::text)
        .containsExactly(
            "the driver lists volume unknown, but no PersistentVolume refers to it",
            "PersistentVolume b refers to volume missing, but the driver does not list it",
            "VolumeAttachment va-gone names PersistentVolume nowhere, which does not exist");
  }

  @Test
  void findings_publicationsAndAttachmentsDiffer_areReported() {
    DriverComparison.ClusterState cluster =
        new DriverComparison.ClusterState(
            List.of(volume("a", "d", "v1"), volume("b", "d", "v2"), volume("c", "d", "v3")),
            List.of(
                attachment("va-a", "a", "n1", true),
                attachment("va-b", "b", "n1", true),
                attachment("va-c", "c", "n1", false)),
            List.of(node("n1"), node("n2")),
            Map.of(),
            Set.of());
    Map<String, ListedVolume> listedVolumes =
        Map.of(
            "v1", listedOn("id-n1", "id-n2", "foreign"), "v2", listedOn(), "v3", listedOn("id-n1"));
    assertThat(DriverComparison.findings("d", listedVolumes, true, cluster))
        .containsExactlyInAnyOrder(
            new DriverFinding.UnknownPublication("a", "v1", "n2", "id-n2"),
            new DriverFinding.UnknownNode("a", "v1", "foreign"),
            new DriverFinding.LostPublication("va-b", "b", "n1"));
    assertThat(DriverComparison.findings("d", listedVolumes, false, cluster))
        .as("a driver that does not list nodes")
        .isEmpty();
  }

  private static Attachment recorded(String name, String volume, String handle, String nodeId) {
    return TestObjects.attachment(name)
        .attacher("d")
        .volumeName(volume)
        .nodeName("n1")
        .attached(true)
        .annotation(PublicationRecord.VOLUME_HANDLE, handle)
        .annotation(PublicationRecord.NODE_ID, nodeId)
        .build();
  }

  private static List<DriverFinding> findings(
      List<Volume> volumes, List<Attachment> attachments, Map<String, ListedVolume> listedVolumes) {
    return DriverComparison.findings(
        "d",
        listedVolumes,
        true,
        new DriverComparison.ClusterState(
            volumes, attachments, List.of(node("n1")), Map.of(), Set.of()));
  }

  /** Handles of in-tree GCE disks lack the project. */
  @Test
  void findings_partialHandle_findsListedVolume() {
    CsiNode node =
        new CsiNode(
            meta("n1"),
            List.of(new CsiNode.Driver("d", "projects/p/zones/z/instances/n1", List.of(), -1)));
    assertThat(
            DriverComparison.findings(
                "d",
                Map.of(
                    "projects/p/zones/z/disks/a", listedOn("projects/p/zones/z/instances/n1"),
                    "projects/p/zones/z/disks/b", listedOn()),
                true,
                new DriverComparison.ClusterState(
                    List.of(volume("a", "d", "projects/UNSPECIFIED/zones/z/disks/a")),
                    List.of(attachment("va", "a", "n1", true)),
                    List.of(node),
                    Map.of(),
                    Set.of("projects/UNSPECIFIED/zones/UNSPECIFIED/disks/b"))))
        .isEmpty();
  }

  /** The attachment names one of two PersistentVolumes of one handle. */
  @Test
  void publication_ofTwinVolume_isAccountedForByHandle() {
    assertThat(
            findings(
                List.of(volume("a", "d", "v1"), volume("b", "d", "v1")),
                List.of(attachment("va", "a", "n1", true)),
                Map.of("v1", listedOn("id-n1"))))
        .isEmpty();
  }

  @Test
  void publication_byRecordedNodeIdThatNoCsiNodeHas_isAccountedFor() {
    assertThat(
            findings(
                List.of(volume("a", "d", "v1")),
                List.of(recorded("va", "a", "v1", "old")),
                Map.of("v1", listedOn("old"))))
        .isEmpty();
  }

  @Test
  void publication_byNodeIdThatNothingNames_isFound() {
    assertThat(
            findings(
                List.of(volume("a", "d", "v1")),
                List.of(recorded("va", "a", "v1", "id-n1")),
                Map.of("v1", listedOn("id-n1", "old"))))
        .containsExactly(new DriverFinding.UnknownNode("a", "v1", "old"));
  }

  @Test
  void publication_withoutRecordByFormerNodeId_isNotTakenForUnknown() {
    assertThat(
            findings(
                List.of(volume("a", "d", "v1")),
                List.of(attachment("va", "a", "n1", false)),
                Map.of("v1", listedOn("old"))))
        .isEmpty();
  }

  @Test
  void publication_ofFormerHandle_isAccountedForByRecord() {
    assertThat(
            findings(
                List.of(volume("a", "d", "v2")),
                List.of(recorded("va", "a", "v1", "id-n1")),
                Map.of("v1", listedOn("id-n1"), "v2", listedOn())))
        .isEmpty();
  }

  @Test
  void findings_inlineVolume_isFoundByItsAttachmentAndByPods() {
    Attachment inline = attachment("va", "", "n1", true);
    DriverComparison.ClusterState cluster =
        new DriverComparison.ClusterState(
            List.of(), List.of(inline), List.of(node("n1")), Map.of("va", "v1"), Set.of("v2"));
    Map<String, ListedVolume> listedVolumes =
        Map.of("v1", listedOn("id-n1"), "v2", listedOn(), "v3", listedOn());
    assertThat(DriverComparison.findings("d", listedVolumes, true, cluster))
        .containsExactly(new DriverFinding.UnknownVolume("v3", 7));
  }

  /** The state after an earlier run created a PersistentVolume for the live inline volume. */
  @Test
  void inlineVolume_withOrphanVolume_isAccountedFor() {
    DriverComparison.ClusterState cluster =
        new DriverComparison.ClusterState(
            List.of(volume("orphan", "d", "v1")),
            List.of(attachment("va", "", "n1", true)),
            List.of(node("n1")),
            Map.of("va", "v1"),
            Set.of());
    assertThat(DriverComparison.findings("d", Map.of("v1", listedOn("id-n1")), true, cluster))
        .isEmpty();
  }
}
