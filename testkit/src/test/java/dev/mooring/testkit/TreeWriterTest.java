package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TreeWriterTest {
  private static final Volume VOLUME =
      TestObjects.volume("pv")
          .storage("5Gi")
          .source(VolumeSource.csi("d", "h"))
          .accessModes("ReadWriteOnce", "ReadOnlyMany")
          .claimRef(TestObjects.claim("ns", "data").build())
          .reclaimPolicy(ReclaimPolicy.DELETE)
          .storageClass("fast")
          .volumeMode(VolumeMode.BLOCK)
          .attributesClass("gold")
          .status(new Volume.Status(VolumePhase.FAILED, "no", "because"))
          .build();

  private static final Claim.Status STATUS =
      new Claim.Status(
          ClaimPhase.PENDING,
          List.of("ReadWriteOnce"),
          Map.of("storage", Quantity.of("2Gi")),
          "silver",
          new Claim.Modification("gold", "InProgress"),
          new Claim.Resize(Quantity.of("3Gi"), Claim.ResizeState.NODE_PENDING),
          List.of(),
          List.of());

  static Stream<Arguments> objects() {
    return Stream.of(
        Arguments.of(Kind.VOLUME, VOLUME),
        Arguments.of(Kind.VOLUME, TestObjects.volume("plain").build()),
        Arguments.of(
            Kind.VOLUME,
            TestObjects.volume("others")
                .source(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "7")))
                .build()),
        Arguments.of(Kind.CLAIM, TestObjects.claim("ns", "plain").build()),
        Arguments.of(
            Kind.CLAIM,
            TestObjects.claim("ns", "c")
                .created(5)
                .deleted(7)
                .label("a", "b")
                .annotation("x/y", "z")
                .finalizer("f/g")
                .controller("pod")
                .storageClass("")
                .attributesClass("gold")
                .hasDataSource(true)
                .boundTo(VOLUME)
                .status(STATUS)
                .build()),
        Arguments.of(
            Kind.POD,
            TestObjects.pod("ns", "p")
                .runningOn("n1")
                .claims("a", "p-scratch")
                .ephemeral(List.of("scratch"))
                .build()),
        Arguments.of(
            Kind.POD,
            TestObjects.pod("ns", "stopping")
                .inline(
                    List.of(
                        new Pod.Inline(
                            "disk", new VolumeSource("cinder", Map.of("volumeID", "7")))))
                .phase(Pod.Phase.RUNNING)
                .deleted(9)
                .containersStopped(true)
                .shutDown(true)
                .build()),
        Arguments.of(
            Kind.NODE,
            TestObjects.node("n1")
                .taints(List.of("node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"))
                .ready(null)
                .volumesInUse(List.of("v"))
                .volumesAttached(Map.of("v", "/dev/v"))
                .build()),
        Arguments.of(
            Kind.STORAGE_CLASS,
            TestObjects.storageClass("fast")
                .parameters(Map.of("a", "b"))
                .mountOptions(List.of("ro"))
                .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
                .allowsExpansion(true)
                .build()),
        Arguments.of(
            Kind.ATTACHMENT,
            TestObjects.attachment("csi-1")
                .attacher("d")
                .volumeName("pv")
                .nodeName("n1")
                .attached(true)
                .detachError("busy")
                .build()),
        Arguments.of(Kind.CSI_NODE, TestObjects.csiNode("n1").driver("d", "id-1").build()),
        Arguments.of(Kind.CSI_DRIVER, TestObjects.csiDriver("d").attachRequired(false).build()),
        Arguments.of(
            Kind.ATTRIBUTES_CLASS,
            TestObjects.attributesClass("gold").parameters(Map.of("iops", "5")).build()));
  }

  /** {@link KindsContract} covers objects with all fields. */
  static Stream<Arguments> objectsOfOtherKinds() {
    LabelSelector selector = new LabelSelector(Map.of("app", "db"), List.of());
    return Stream.of(
        Arguments.of(Kind.SNAPSHOT, TestObjects.volumeSnapshot("ns", "plain").build()),
        Arguments.of(
            Kind.SNAPSHOT, TestObjects.volumeSnapshot("ns", "s").sourceContent("content").build()),
        Arguments.of(Kind.SNAPSHOT_CONTENT, TestObjects.snapshotContent("plain").build()),
        Arguments.of(
            Kind.SNAPSHOT_CONTENT,
            TestObjects.snapshotContent("pre")
                .policy(ReclaimPolicy.UNKNOWN)
                .source(new SnapshotContent.Source("", "snap-1"))
                .build()),
        Arguments.of(
            Kind.SNAPSHOT_CLASS,
            TestObjects.snapshotClass("c").policy(ReclaimPolicy.RETAIN).build()),
        Arguments.of(Kind.GROUP_SNAPSHOT, TestObjects.groupSnapshot("ns", "plain").build()),
        Arguments.of(
            Kind.GROUP_SNAPSHOT,
            TestObjects.groupSnapshot("ns", "g").selector(Optional.of(selector)).build()),
        Arguments.of(
            Kind.GROUP_SNAPSHOT_CONTENT, TestObjects.groupSnapshotContent("plain").build()),
        Arguments.of(
            Kind.GROUP_SNAPSHOT_CONTENT,
            TestObjects.groupSnapshotContent("c")
                .source(new GroupSnapshotContent.Source(List.of("vol-1"), "", List.of()))
                .build()),
        Arguments.of(Kind.GROUP_SNAPSHOT_CLASS, TestObjects.groupSnapshotClass("c").build()),
        Arguments.of(Kind.STORAGE_CAPACITY, TestObjects.storageCapacity("ns", "plain").build()),
        Arguments.of(
            Kind.STORAGE_CAPACITY,
            TestObjects.storageCapacity("ns", "c").nodeTopology(selector).build()),
        Arguments.of(Kind.LEASE, TestObjects.lease("ns", "plain").build()));
  }

  @ParameterizedTest
  @MethodSource({"objects", "objectsOfOtherKinds"})
  void read_writtenTree_returnsEqualObject(Kind<?> kind, Resource object) {
    assertThat(TreeReader.read(kind, TreeWriter.of(object))).isEqualTo(object);
  }
}
