package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Quantity;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.VolumeSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fields that the recorded bodies lack: their names, and their numbers from the wire's list. */
class RareFieldsTest {
  /** A message under construction. */
  private static final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    Message text(int field, String value) throws IOException {
      out.writeString(field, value);
      return this;
    }

    Message number(int field, long value) throws IOException {
      out.writeInt64(field, value);
      return this;
    }

    Message with(int field, Message value) throws IOException {
      out.writeByteArray(field, value.bytes());
      return this;
    }

    byte[] bytes() throws IOException {
      out.flush();
      return bytes.toByteArray();
    }
  }

  private static <T extends Resource> T one(Kind<T> kind, byte[] body, boolean protobuf)
      throws IOException {
    List<T> all = new ArrayList<>();
    Bodies.list(kind, new ByteArrayInputStream(body), protobuf, all::add);
    return all.getFirst();
  }

  private static <T extends Resource> T fromJson(Kind<T> kind, String object) throws IOException {
    String list = "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [" + object + "]}";
    return one(kind, list.getBytes(StandardCharsets.UTF_8), false);
  }

  /** The envelope: magic, then a raw body that is a list. */
  private static <T extends Resource> T fromProtobuf(Kind<T> kind, Message object)
      throws IOException {
    Message list = new Message().with(1, new Message().text(2, "1")).with(2, object);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(new byte[] {'k', '8', 's', 0});
    body.write(new Message().with(2, list).bytes());
    return one(kind, body.toByteArray(), true);
  }

  @Test
  void howMuchRoomThereIs() throws IOException {
    StorageCapacity json =
        fromJson(
            Kind.STORAGE_CAPACITY,
            """
            {"metadata": {"name": "a", "namespace": "ns"}, "nodeTopology": {"matchLabels": {"zone": "z1"}}, "storageClassName": "c", "capacity": "3Gi", "maximumVolumeSize": "1Gi"}
            """);
    Message label = new Message().text(1, "zone").text(2, "z1");
    StorageCapacity protobuf =
        fromProtobuf(
            Kind.STORAGE_CAPACITY,
            new Message()
                .with(1, new Message().text(1, "a").text(3, "ns"))
                .with(2, new Message().with(1, label))
                .text(3, "c")
                .with(4, new Message().text(1, "3Gi"))
                .with(5, new Message().text(1, "1Gi")));
    assertThat(protobuf).isEqualTo(json);
    assertThat(json.capacity()).isEqualTo(Quantity.of("3Gi"));
    assertThat(json.nodeTopology().matchLabels()).containsEntry("zone", "z1");
    assertThat(fromJson(Kind.STORAGE_CAPACITY, "{\"metadata\": {\"name\": \"b\"}}").capacity())
        .isNull();
  }

  @Test
  void howFarAClaimsGrowthAndChangeAre() throws IOException {
    Claim json =
        fromJson(
            Kind.CLAIM,
            """
            {"metadata": {"name": "c", "namespace": "ns"}, "status": {"phase": "Bound", "capacity": {"storage": "1Gi"},
             "allocatedResources": {"storage": "2Gi"}, "allocatedResourceStatuses": {"storage": "NodeResizePending"},
             "modifyVolumeStatus": {"targetVolumeAttributesClassName": "gold", "status": "InProgress"},
             "conditions": [{"type": "Resizing", "status": "True", "lastProbeTime": null, "lastTransitionTime": "2026-01-02T03:04:05Z", "reason": "r", "message": "m"}]}}
            """);
    Message quantity = new Message().text(1, "storage").with(2, new Message().text(1, "2Gi"));
    Message condition =
        new Message()
            .text(1, "Resizing")
            .text(2, "True")
            .with(4, new Message().number(1, 1767323045L))
            .text(5, "r")
            .text(6, "m");
    Message status =
        new Message()
            .text(1, "Bound")
            .with(3, new Message().text(1, "storage").with(2, new Message().text(1, "1Gi")))
            .with(4, condition)
            .with(5, quantity)
            .with(7, new Message().text(1, "storage").text(2, "NodeResizePending"))
            .with(9, new Message().text(1, "gold").text(2, "InProgress"));
    Claim protobuf =
        fromProtobuf(
            Kind.CLAIM,
            new Message().with(1, new Message().text(1, "c").text(3, "ns")).with(3, status));
    assertThat(protobuf.status()).isEqualTo(json.status());
    assertThat(json.status().resize())
        .isEqualTo(new Claim.Resize(Quantity.of("2Gi"), ResizeState.NODE_PENDING));
    assertThat(json.status().modification())
        .isEqualTo(new Claim.Modification("gold", "InProgress"));
    assertThat(json.status().conditions())
        .containsExactly(new Condition("Resizing", "True", "r", "m", 0, 1767323045L));
  }

  @Test
  void volumesThatStandInThePodItself() throws IOException {
    Pod json =
        fromJson(
            Kind.POD,
            """
            {"metadata": {"name": "p", "namespace": "ns"}, "spec": {"nodeName": "n", "volumes": [
              {"name": "e", "emptyDir": {}},
              {"name": "d", "gcePersistentDisk": {"pdName": "disk", "fsType": "ext4", "partition": 1, "readOnly": true}}]}}
            """);
    Message disk = new Message().text(1, "disk").text(2, "ext4").number(3, 1).number(4, 1);
    Message volumes =
        new Message()
            .with(1, new Message().text(1, "e").with(2, new Message().with(2, new Message())))
            .with(1, new Message().text(1, "d").with(2, new Message().with(3, disk)))
            .text(10, "n");
    Pod protobuf =
        fromProtobuf(
            Kind.POD,
            new Message().with(1, new Message().text(1, "p").text(3, "ns")).with(2, volumes));
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

  private static boolean isStopped(String status, Message protobuf) throws IOException {
    Message meta = new Message().text(1, "p").text(3, "ns");
    Pod fromJson =
        fromJson(
            Kind.POD,
            "{\"metadata\": {\"name\": \"p\", \"namespace\": \"ns\"}, \"status\":"
                + " {\"containerStatuses\": ["
                + status
                + "]}}");
    Pod fromProtobuf =
        fromProtobuf(
            Kind.POD, new Message().with(1, meta).with(3, new Message().with(8, protobuf)));
    assertThat(fromProtobuf).isEqualTo(fromJson);
    return fromJson.containersStopped();
  }

  private static Message state(int field) throws IOException {
    return new Message().with(2, new Message().with(field, new Message()));
  }

  /** Kubernetes' notRunning: only a container that is said to wait or to have ended has stopped. */
  @Test
  void aContainerOfWhichNothingIsSaidMayRun() throws IOException {
    assertThat(isStopped("{\"state\": {\"waiting\": {}}}", state(1))).isTrue();
    assertThat(isStopped("{\"state\": {\"terminated\": {}}}", state(3))).isTrue();
    assertThat(isStopped("{\"state\": {\"running\": {}}}", state(2))).isFalse();
    assertThat(isStopped("{\"state\": {}}", new Message().with(2, new Message()))).isFalse();
    assertThat(isStopped("{\"state\": {\"waiting\": null}}", new Message())).isFalse();
    assertThat(isStopped("{\"name\": \"c\"}", new Message().text(1, "c"))).isFalse();
  }
}
