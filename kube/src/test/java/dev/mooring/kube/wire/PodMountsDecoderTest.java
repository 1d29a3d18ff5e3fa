package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.Container;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import dev.mooring.model.VolumeSource;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodMountsDecoderTest {
  private static final SeLinuxOptions LEVEL = new SeLinuxOptions("", "", "", "s0:c1,c2");
  private static final SeLinuxOptions WHOLE = new SeLinuxOptions("u", "r", "t", "l");

  private static final String JSON =
      """
      {"metadata": {"name": "p", "namespace": "ns", "uid": "u1", "resourceVersion": "7"},
       "spec": {
         "securityContext": {"seLinuxChangePolicy": "Recursive", "runAsUser": 1, "seLinuxOptions": {"level": "s0:c1,c2"}},
         "volumes": [
           {"name": "claim", "persistentVolumeClaim": {"claimName": "c"}},
           {"name": "made", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}},
           {"name": "disk", "iscsi": {"targetPortal": "h:1", "iqn": "i", "lun": 2}},
           {"name": "empty", "emptyDir": {}}],
         "initContainers": [{"name": "i", "volumeMounts": [{"name": "claim", "mountPath": "/a"}, {"name": "empty", "mountPath": "/b"}]}],
         "containers": [
           {"name": "a", "securityContext": {"privileged": true, "seLinuxOptions": {"user": "u", "role": "r", "type": "t", "level": "l"}}, "volumeMounts": [{"mountPath": "/a", "name": "made"}]},
           {"name": "b", "volumeDevices": [{"name": "disk", "devicePath": "/dev/x"}]}],
         "ephemeralContainers": [
           {"name": "e", "volumeMounts": [{"name": "claim", "mountPath": "/a"}, {"name": "disk", "mountPath": "/b"}], "securityContext": {"seLinuxOptions": {"level": "s0:c1,c2"}}, "targetContainerName": "a"}]},
       "status": {"phase": "Running"}}
      """;

  private static ProtoMessage mount(String name) throws IOException {
    return new ProtoMessage().text(1, name).text(3, "/a");
  }

  private static ProtoMessage volume(String name, int source, ProtoMessage value)
      throws IOException {
    return new ProtoMessage().text(1, name).with(2, new ProtoMessage().with(source, value));
  }

  private static ProtoMessage protobuf() throws IOException {
    ProtoMessage level = new ProtoMessage().text(4, "s0:c1,c2");
    ProtoMessage fullLabel = new ProtoMessage().text(1, "u").text(2, "r").text(3, "t").text(4, "l");
    ProtoMessage disk = new ProtoMessage().text(1, "h:1").text(2, "i").number(3, 2);
    ProtoMessage spec =
        new ProtoMessage()
            .with(1, volume("claim", 10, new ProtoMessage().text(1, "c")))
            .with(1, volume("made", 29, new ProtoMessage()))
            .with(1, volume("disk", 8, disk))
            .with(1, volume("empty", 2, new ProtoMessage()))
            .with(20, new ProtoMessage().with(9, mount("claim")).with(9, mount("empty")))
            .with(
                2,
                new ProtoMessage()
                    .with(15, new ProtoMessage().number(2, 1).with(3, fullLabel))
                    .with(9, mount("made")))
            .with(2, new ProtoMessage().text(1, "b"))
            .with(
                34,
                new ProtoMessage()
                    .with(
                        1,
                        new ProtoMessage()
                            .text(1, "e")
                            .with(9, mount("claim"))
                            .with(9, mount("disk"))
                            .with(15, new ProtoMessage().with(3, level)))
                    .text(2, "a"))
            .with(14, new ProtoMessage().with(1, level).number(2, 1).text(13, "Recursive"));
    return new ProtoMessage()
        .with(1, new ProtoMessage().text(1, "p").text(3, "ns").text(5, "u1").text(6, "7"))
        .with(2, spec)
        .with(3, new ProtoMessage().text(1, "Running"));
  }

  @Test
  void pod_mountsLabelsAndPolicy_areDecoded() throws IOException {
    PodMounts pod = Encodings.fromJson(Kind.POD_MOUNTS, JSON);
    assertThat(pod.key()).isEqualTo(ObjectKey.of("ns", "p"));
    assertThat(pod.phase()).isEqualTo(Pod.Phase.RUNNING);
    assertThat(pod.changePolicy()).isEqualTo("Recursive");
    assertThat(pod.label()).isEqualTo(LEVEL);
    assertThat(pod.volumes())
        .containsExactly(
            new PodVolume("claim", "c", false, VolumeSource.NONE),
            new PodVolume("made", "p-made", true, VolumeSource.NONE),
            new PodVolume(
                "disk",
                "",
                false,
                new VolumeSource("iscsi", Map.of("targetPortal", "h:1", "iqn", "i", "lun", "2"))),
            new PodVolume("empty", "", false, VolumeSource.NONE));
    assertThat(pod.containers())
        .containsExactly(
            new Container(null, List.of("claim", "empty")),
            new Container(WHOLE, List.of("made")),
            new Container(LEVEL, List.of("claim", "disk")));
  }

  @Test
  void pod_bothEncodings_yieldEqualRecords() throws IOException {
    assertThat(Encodings.fromProtobuf(Kind.POD_MOUNTS, protobuf()))
        .isEqualTo(Encodings.fromJson(Kind.POD_MOUNTS, JSON));
  }

  @Test
  void pod_withoutSharedVolumes_hasNoMounts() throws IOException {
    assertThat(Encodings.fromJson(Kind.POD_MOUNTS, JSON).hasSharedOrLabelledVolumes()).isTrue();
    assertThat(
            Encodings.fromJson(
                    Kind.POD_MOUNTS,
                    """
                    {"metadata": {"name": "p", "namespace": "ns"}, "spec": {"volumes": [{"name": "e", "emptyDir": {}}], "containers": [{"name": "a", "volumeMounts": [{"name": "e"}]}]}}
                    """)
                .hasSharedOrLabelledVolumes())
        .isFalse();
  }

  @Test
  void driver_seLinuxMount_isDecoded() throws IOException {
    CsiDriver driver =
        Encodings.fromProtobuf(
            Kind.CSI_DRIVER,
            new ProtoMessage()
                .with(1, new ProtoMessage().text(1, "d"))
                .with(2, new ProtoMessage().number(8, 1)));
    assertThat(driver.seLinuxMount()).isTrue();
    assertThat(driver)
        .isEqualTo(
            Encodings.fromJson(
                Kind.CSI_DRIVER,
                "{\"metadata\": {\"name\": \"d\"}, \"spec\": {\"seLinuxMount\": true}}"));
  }
}
