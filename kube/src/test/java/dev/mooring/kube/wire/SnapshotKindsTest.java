package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.stream.JsonReader;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.wire.DecoderTable;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotKindsTest {
  private static <T extends Resource> T read(Kind<T> kind, String json) throws IOException {
    JsonWireReader wire = new JsonWireReader(new JsonReader(new StringReader(json)));
    wire.open();
    return DecoderTable.getDecoder(kind).decode(wire);
  }

  @Test
  void snapshot_allFields_areDecoded() throws IOException {
    VolumeSnapshot snapshot =
        read(
            Kind.SNAPSHOT,
            """
            {"metadata": {"name": "s", "namespace": "default", "uid": "u", "resourceVersion": "7", "finalizers": ["f"]},
             "spec": {"source": {"persistentVolumeClaimName": "a"}, "volumeSnapshotClassName": "fast"},
             "status": {"boundVolumeSnapshotContentName": "c", "creationTime": "1970-01-01T00:00:05Z", "readyToUse": true, "restoreSize": "1Gi",
                        "volumeGroupSnapshotName": "g", "error": {"time": "1970-01-01T00:00:03Z", "message": "no"}}}
            """);
    assertThat(snapshot.key().toString()).isEqualTo("default/s");
    assertThat(snapshot.meta().finalizers()).containsExactly("f");
    assertThat(snapshot.sourceClaim()).isEqualTo("a");
    assertThat(snapshot.sourceContent()).isEmpty();
    assertThat(snapshot.className()).isEqualTo("fast");
    assertThat(snapshot.status())
        .isEqualTo(
            new VolumeSnapshot.Status(
                "c", true, 5, Optional.of(Quantity.of("1Gi")), new Problem(3, "no"), "g"));
  }

  @Test
  void content_allFields_areDecoded() throws IOException {
    SnapshotContent content =
        read(
            Kind.SNAPSHOT_CONTENT,
            """
            {"metadata": {"name": "c", "annotations": {"snapshot.storage.kubernetes.io/volumesnapshot-being-created": "yes", "other": "x"}},
             "spec": {"volumeSnapshotRef": {"kind": "VolumeSnapshot", "namespace": "default", "name": "s", "uid": "u"}, "deletionPolicy": "Delete", "driver": "d",
                      "volumeSnapshotClassName": "fast", "source": {"volumeHandle": "v"}, "sourceVolumeMode": "Block"},
             "status": {"snapshotHandle": "h", "creationTime": 1700000000123456789, "restoreSize": 4096, "readyToUse": false}}
            """);
    assertThat(content.meta().annotations())
        .isEqualTo(Map.of(SnapshotContent.BEING_CREATED, "yes"));
    assertThat(content.snapshot().key().toString()).isEqualTo("default/s");
    assertThat(content.snapshot().uid()).isEqualTo(Uid.of("u"));
    assertThat(content.policy()).isEqualTo(ReclaimPolicy.DELETE);
    assertThat(content.source()).isEqualTo(new SnapshotContent.Source("v", ""));
    assertThat(content.mode()).contains(VolumeMode.BLOCK);
    assertThat(content.status())
        .isEqualTo(
            new SnapshotContent.Status(
                "h", 1_700_000_000_123_456_789L, 4096, false, Problem.NONE, ""));
  }

  @Test
  void content_unknownPolicy_isNotDelete() throws IOException {
    assertThat(read(Kind.SNAPSHOT_CONTENT, "{\"spec\": {}}").policy())
        .isEqualTo(ReclaimPolicy.UNKNOWN);
    assertThat(read(Kind.SNAPSHOT_CONTENT, "{\"spec\": {\"deletionPolicy\": \"delete\"}}").policy())
        .isEqualTo(ReclaimPolicy.UNKNOWN);
  }

  @Test
  void class_defaultAnnotation_isDecoded() throws IOException {
    SnapshotClass read =
        read(
            Kind.SNAPSHOT_CLASS,
            """
            {"metadata": {"name": "fast", "annotations": {"snapshot.storage.kubernetes.io/is-default-class": "true"}},
             "driver": "d", "deletionPolicy": "Retain", "parameters": {"a": "b"}}
            """);
    assertThat(read.isDefault()).isTrue();
    assertThat(read.driver()).isEqualTo("d");
    assertThat(read.policy()).isEqualTo(ReclaimPolicy.RETAIN);
    assertThat(read.parameters()).isEqualTo(Map.of("a", "b"));
  }
}
