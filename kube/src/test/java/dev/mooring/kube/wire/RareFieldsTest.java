package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePopulator;
import dev.mooring.model.VolumeSource;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields that are missing in the recorded bodies: names and protobuf numbers. */
class RareFieldsTest {
  @Test
  void capacity_bothForms_areEqual() throws IOException {
    StorageCapacity json =
        Encodings.fromJson(
            Kind.STORAGE_CAPACITY,
            """
            {"metadata": {"name": "a", "namespace": "ns"}, "nodeTopology": {"matchLabels": {"zone": "z1"}}, "storageClassName": "c", "capacity": "3Gi", "maximumVolumeSize": "1Gi"}
            """);
    ProtoMessage label = new ProtoMessage().text(1, "zone").text(2, "z1");
    StorageCapacity protobuf =
        Encodings.fromProtobuf(
            Kind.STORAGE_CAPACITY,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "a").text(3, "ns"))
                .with(2, new ProtoMessage().with(1, label))
                .text(3, "c")
                .with(4, new ProtoMessage().text(1, "3Gi"))
                .with(5, new ProtoMessage().text(1, "1Gi")));
    assertThat(protobuf).isEqualTo(json);
    assertThat(json.capacity()).isEqualTo(Quantity.of("3Gi"));
    assertThat(json.nodeTopology().matchLabels()).containsEntry("zone", "z1");
    assertThat(
            Encodings.fromJson(Kind.STORAGE_CAPACITY, "{\"metadata\": {\"name\": \"b\"}}")
                .capacity())
        .isNull();
  }

  @Test
  void nodeAffinity_bothForms_areEqual() throws IOException {
    Volume json =
        Encodings.fromJson(
            Kind.VOLUME,
            """
            {"metadata": {"name": "v"}, "spec": {"nodeAffinity": {"required": {"nodeSelectorTerms": [
              {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}], "matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["n"]}]}]}}}}
            """);
    ProtoMessage labels =
        new ProtoMessage().text(1, "zone").text(2, "In").text(3, "a").text(3, "b");
    ProtoMessage fields = new ProtoMessage().text(1, "metadata.name").text(2, "NotIn").text(3, "n");
    ProtoMessage term = new ProtoMessage().with(1, labels).with(2, fields);
    ProtoMessage affinity = new ProtoMessage().with(1, new ProtoMessage().with(1, term));
    Volume protobuf =
        Encodings.fromProtobuf(
            Kind.VOLUME,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "v"))
                .with(2, new ProtoMessage().with(9, affinity)));
    assertThat(protobuf).isEqualTo(json);
    assertThat(json.nodeAffinity()).hasToString("zone in [a, b] and metadata.name not in [n]");
  }

  @Test
  void inlineAttachment_bothForms_areEqual() throws IOException {
    Attachment json =
        Encodings.fromJson(
            Kind.ATTACHMENT,
            """
            {"metadata": {"name": "a"}, "spec": {"attacher": "d", "nodeName": "n", "source": {"inlineVolumeSpec":
              {"accessModes": ["ReadOnlyMany"], "csi": {"driver": "d", "volumeHandle": "h"}}}}}
            """);
    ProtoMessage source = new ProtoMessage().with(22, new ProtoMessage().text(1, "d").text(2, "h"));
    ProtoMessage inline = new ProtoMessage().with(2, source).text(3, "ReadOnlyMany");
    Attachment protobuf =
        Encodings.fromProtobuf(
            Kind.ATTACHMENT,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "a"))
                .with(
                    2,
                    new ProtoMessage()
                        .text(1, "d")
                        .with(2, new ProtoMessage().with(2, inline))
                        .text(3, "n")));
    assertThat(protobuf).isEqualTo(json);
    assertThat(json.inline())
        .isEqualTo(
            new Attachment.InlineVolume(
                VolumeSource.csi("d", "h"), AccessModes.of("ReadOnlyMany")));
  }

  @Test
  void claimStatus_bothForms_areEqual() throws IOException {
    Claim json =
        Encodings.fromJson(
            Kind.CLAIM,
            """
            {"metadata": {"name": "c", "namespace": "ns"}, "status": {"phase": "Bound", "capacity": {"storage": "1Gi"},
             "allocatedResources": {"storage": "2Gi"}, "allocatedResourceStatuses": {"storage": "NodeResizePending"},
             "modifyVolumeStatus": {"targetVolumeAttributesClassName": "gold", "status": "InProgress"},
             "healthStatus": {"healthConditions": [{"status": "Degraded", "reason": "Slow", "message": "m"}], "lastTransitionTime": "2026-01-02T03:04:05Z"},
             "conditions": [{"type": "Resizing", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-01-02T03:04:05Z", "reason": "r", "message": "m"}]}}
            """);
    ProtoMessage quantity =
        new ProtoMessage().text(1, "storage").with(2, new ProtoMessage().text(1, "2Gi"));
    ProtoMessage condition =
        new ProtoMessage()
            .text(1, "Resizing")
            .text(2, "True")
            .with(4, new ProtoMessage().number(1, 1767323045L))
            .text(5, "r")
            .text(6, "m");
    ProtoMessage status =
        new ProtoMessage()
            .text(1, "Bound")
            .with(
                3, new ProtoMessage().text(1, "storage").with(2, new ProtoMessage().text(1, "1Gi")))
            .with(4, condition)
            .with(5, quantity)
            .with(7, new ProtoMessage().text(1, "storage").text(2, "NodeResizePending"))
            .with(9, new ProtoMessage().text(1, "gold").text(2, "InProgress"))
            .with(
                10,
                new ProtoMessage()
                    .with(1, new ProtoMessage().text(1, "Degraded").text(2, "Slow").text(3, "m"))
                    .with(2, new ProtoMessage().number(1, 1767323045L)));
    Claim protobuf =
        Encodings.fromProtobuf(
            Kind.CLAIM,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "c").text(3, "ns"))
                .with(3, status));
    assertThat(protobuf.status()).isEqualTo(json.status());
    assertThat(json.status().resize())
        .isEqualTo(new Claim.Resize(Quantity.of("2Gi"), ResizeState.NODE_PENDING));
    assertThat(json.status().modification())
        .isEqualTo(new Claim.Modification("gold", "InProgress"));
    assertThat(json.status().conditions())
        .containsExactly(new Condition("Resizing", "True", "r", "m", 0, 1767323045L));
    assertThat(json.status().healthConditions())
        .containsExactly(new Claim.HealthCondition("Degraded", "Slow", "m"));
  }

  // Only the newer field can name a source in another namespace.
  @ParameterizedTest
  @CsvSource({"dataSource, 7", "dataSourceRef, 8"})
  void dataSource_eitherField_isDecoded(String field, int number) throws IOException {
    Claim json =
        Encodings.fromJson(
            Kind.CLAIM,
            """
            {"metadata": {"name": "c", "namespace": "ns"}, "spec": {"%s": {"kind": "VolumeSnapshot", "name": "s"}}}
            """
                .formatted(field));
    Claim protobuf =
        Encodings.fromProtobuf(
            Kind.CLAIM,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "c").text(3, "ns"))
                .with(
                    2,
                    new ProtoMessage()
                        .with(number, new ProtoMessage().text(2, "VolumeSnapshot").text(3, "s"))));
    assertThat(json.hasDataSource()).isTrue();
    assertThat(protobuf.hasDataSource()).isTrue();
  }

  @Test
  void dataSourceRef_bothForms_areEqual() throws IOException {
    Claim json =
        Encodings.fromJson(
            Kind.CLAIM,
            """
            {"metadata": {"name": "c", "namespace": "ns"}, "spec": {"dataSource": {"kind": "Disk", "name": "d"},
              "dataSourceRef": {"apiGroup": "example.com", "kind": "Disk", "name": "d", "namespace": "other"}}}
            """);
    Claim protobuf =
        Encodings.fromProtobuf(
            Kind.CLAIM,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "c").text(3, "ns"))
                .with(
                    2,
                    new ProtoMessage()
                        .with(7, new ProtoMessage().text(2, "Disk").text(3, "d"))
                        .with(
                            8,
                            new ProtoMessage()
                                .text(1, "example.com")
                                .text(2, "Disk")
                                .text(3, "d")
                                .text(4, "other"))));
    assertThat(protobuf).isEqualTo(json);
    assertThat(json.dataSourceRef())
        .isEqualTo(new DataSourceRef("example.com", "Disk", "other", "d"));
  }

  @Test
  void volumePopulator_sourceKind_isDecoded() throws IOException {
    VolumePopulator populator =
        Encodings.fromJson(
            VolumePopulator.KIND,
            """
            {"metadata": {"name": "disks"}, "sourceKind": {"group": "example.com", "kind": "Disk"}}
            """);
    assertThat(populator.serves(new DataSourceRef("example.com", "Disk", "", "d"))).isTrue();
  }

  @Test
  void pod_inlineVolumes_areDecoded() throws IOException {
    Pod json =
        Encodings.fromJson(
            Kind.POD,
            """
            {"metadata": {"name": "p", "namespace": "ns"}, "spec": {"nodeName": "n", "volumes": [
              {"name": "e", "emptyDir": {}},
              {"name": "d", "gcePersistentDisk": {"pdName": "disk", "fsType": "ext4", "partition": 1, "readOnly": true}}]}}
            """);
    ProtoMessage disk =
        new ProtoMessage().text(1, "disk").text(2, "ext4").number(3, 1).number(4, 1);
    ProtoMessage volumes =
        new ProtoMessage()
            .with(
                1,
                new ProtoMessage()
                    .text(1, "e")
                    .with(2, new ProtoMessage().with(2, new ProtoMessage())))
            .with(1, new ProtoMessage().text(1, "d").with(2, new ProtoMessage().with(3, disk)))
            .text(10, "n");
    Pod protobuf =
        Encodings.fromProtobuf(
            Kind.POD,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "p").text(3, "ns"))
                .with(2, volumes));
    assertThat(protobuf.inline()).isEqualTo(json.inline());
    assertThat(json.inline())
        .containsExactly(
            new Pod.Inline(
                "d",
                new VolumeSource(
                    "gcePersistentDisk",
                    Map.of(
                        "pdName",
                        "disk",
                        "fsType",
                        "ext4",
                        "partition",
                        "1",
                        "readOnly",
                        "true"))));
  }

  private static boolean isStopped(String status, ProtoMessage protobuf) throws IOException {
    ProtoMessage meta = new ProtoMessage().text(1, "p").text(3, "ns");
    Pod fromJson =
        Encodings.fromJson(
            Kind.POD,
            "{\"metadata\": {\"name\": \"p\", \"namespace\": \"ns\"}, \"status\":"
                + " {\"containerStatuses\": ["
                + status
                + "]}}");
    Pod fromProtobuf =
        Encodings.fromProtobuf(
            Kind.POD,
            new ProtoMessage().with(1, meta).with(3, new ProtoMessage().with(8, protobuf)));
    assertThat(fromProtobuf).isEqualTo(fromJson);
    return fromJson.containersStopped();
  }

  private static ProtoMessage state(int field) throws IOException {
    return new ProtoMessage().with(2, new ProtoMessage().with(field, new ProtoMessage()));
  }

  // Kubernetes' notRunning: a container has stopped only if its state is waiting or terminated.
  @Test
  void containerState_empty_mayRun() throws IOException {
    assertThat(isStopped("{\"state\": {\"waiting\": {}}}", state(1))).isTrue();
    assertThat(isStopped("{\"state\": {\"terminated\": {}}}", state(3))).isTrue();
    assertThat(isStopped("{\"state\": {\"running\": {}}}", state(2))).isFalse();
    assertThat(isStopped("{\"state\": {}}", new ProtoMessage().with(2, new ProtoMessage())))
        .isFalse();
    assertThat(isStopped("{\"state\": {\"waiting\": null}}", new ProtoMessage())).isFalse();
    assertThat(isStopped("{\"name\": \"c\"}", new ProtoMessage().text(1, "c"))).isFalse();
  }
}
