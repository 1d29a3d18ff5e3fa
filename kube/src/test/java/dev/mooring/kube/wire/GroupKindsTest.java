package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.GroupSnapshotContent.Source;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupKindsTest {
  private static GroupSnapshot group(String object) throws IOException {
    return Encodings.fromJson(Kind.GROUP_SNAPSHOT, object);
  }

  private static GroupSnapshotContent content(String object) throws IOException {
    return Encodings.fromJson(Kind.GROUP_SNAPSHOT_CONTENT, object);
  }

  @Test
  void group_allFields_areDecoded() throws IOException {
    GroupSnapshot group =
        group(
            """
            {"metadata": {"name": "g", "namespace": "default", "uid": "u", "resourceVersion": "7", "finalizers": ["f"], "annotations": {"other": "x"}},
             "spec": {"later": {"a": [1]}, "source": {"selector": {"matchLabels": {"app": "db"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["a", "b"]}]}, "later": "x"},
                      "volumeGroupSnapshotClassName": "fast"},
             "status": {"boundVolumeGroupSnapshotContentName": "c", "creationTime": "1970-01-01T00:00:05Z", "readyToUse": true, "later": 1,
                        "error": {"time": "1970-01-01T00:00:03Z", "message": "no", "later": true}}, "later": []}
            """);
    assertThat(group.key()).hasToString("default/g");
    assertThat(group.meta().uid()).isEqualTo(Uid.of("u"));
    assertThat(group.meta().finalizers()).containsExactly("f");
    assertThat(group.meta().annotations()).isEmpty();
    assertThat(group.selector())
        .contains(
            new LabelSelector(
                Map.of("app", "db"), List.of(new Requirement("tier", "In", List.of("a", "b")))));
    assertThat(group.sourceContent()).isEmpty();
    assertThat(group.className()).isEqualTo("fast");
    assertThat(group.status())
        .isEqualTo(new GroupSnapshot.Status("c", true, 5, new Problem(3, "no")));
  }

  @Test
  void group_preprovisioned_namesContent() throws IOException {
    GroupSnapshot group =
        group(
            "{\"metadata\": {\"name\": \"g\"}, \"spec\": {\"source\": {\"volumeGroupSnapshotContentName\": \"c\"}}}");
    assertThat(group.sourceContent()).isEqualTo("c");
    assertThat(group.selector()).isEmpty();
    assertThat(group.status()).isEqualTo(GroupSnapshot.Status.NONE);
  }

  @Test
  void content_allFields_areDecoded() throws IOException {
    GroupSnapshotContent content =
        content(
            """
            {"metadata": {"name": "c", "annotations": {
               "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created": "yes", "groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-deleted": "yes",
               "groupsnapshot.storage.kubernetes.io/deletion-secret-name": "s", "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace": "n", "other": "x"}},
             "spec": {"volumeGroupSnapshotRef": {"kind": "VolumeGroupSnapshot", "namespace": "default", "name": "g", "uid": "u"}, "deletionPolicy": "Delete", "driver": "d",
                      "volumeGroupSnapshotClassName": "fast", "source": {"volumeHandles": ["v", null, "w"], "later": {}}, "later": "x"},
             "status": {"volumeGroupSnapshotHandle": "h", "creationTime": "1970-01-01T00:00:05Z", "readyToUse": true, "error": {"message": "no"}, "later": 1,
                        "volumeSnapshotInfoList": [
                          {"volumeHandle": "v", "snapshotHandle": "s1", "creationTime": 1700000000123456789, "readyToUse": true, "restoreSize": 4096, "later": 1},
                          {"volumeHandle": "w", "snapshotHandle": "s2"}]}}
            """);
    assertThat(content.meta().annotations())
        .isEqualTo(
            Map.of(
                GroupSnapshotContent.BEING_CREATED,
                "yes",
                GroupSnapshotContent.BEING_DELETED,
                "yes",
                GroupSnapshotContent.SECRET_NAME,
                "s",
                GroupSnapshotContent.SECRET_NAMESPACE,
                "n"));
    assertThat(content.group().key()).hasToString("default/g");
    assertThat(content.group().uid()).isEqualTo(Uid.of("u"));
    assertThat(content.policy()).isEqualTo(ReclaimPolicy.DELETE);
    assertThat(content.driver()).isEqualTo("d");
    assertThat(content.className()).isEqualTo("fast");
    assertThat(content.source()).isEqualTo(new Source(List.of("v", "w"), "", List.of()));
    assertThat(content.status())
        .isEqualTo(
            new GroupSnapshotContent.Status(
                "h",
                5,
                true,
                new Problem(0, "no"),
                List.of(
                    new Member("v", "s1", 1_700_000_000_123_456_789L, true, 4096),
                    new Member("w", "s2", 0, false, 0))));
  }

  @Test
  void content_preprovisioned_listsSnapshots() throws IOException {
    GroupSnapshotContent content =
        content(
            """
            {"spec": {"source": {"groupSnapshotHandles": {"volumeGroupSnapshotHandle": "h", "volumeSnapshotHandles": ["s1", "s2"]}}}}
            """);
    assertThat(content.source()).isEqualTo(new Source(List.of(), "h", List.of("s1", "s2")));
    assertThat(content.group().uid()).isEqualTo(Uid.NONE);
    assertThat(content.status()).isEqualTo(GroupSnapshotContent.Status.NONE);
  }

  @Test
  void content_unknownPolicy_isNotDelete() throws IOException {
    assertThat(content("{\"spec\": {}}").policy()).isEqualTo(ReclaimPolicy.UNKNOWN);
    assertThat(content("{\"spec\": {\"deletionPolicy\": \"delete\"}}").policy())
        .isEqualTo(ReclaimPolicy.UNKNOWN);
  }

  // A value of a wrong type counts as absent; decoding continues.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"status\": \"x\", \"spec\": 7, \"metadata\": {\"name\": \"c\"}}",
        "{\"spec\": {\"source\": \"x\", \"volumeGroupSnapshotRef\": 3}, \"metadata\": {\"name\": \"c\"}}",
        "{\"spec\": {\"source\": {\"groupSnapshotHandles\": \"x\", \"volumeHandles\": []}, \"deletionPolicy\": {}}, \"metadata\": {\"name\": \"c\"}}",
        "{\"spec\": {\"source\": null, \"driver\": null}, \"status\": null, \"metadata\": {\"name\": \"c\"}}",
        "{\"status\": {\"creationTime\": \"yesterday\", \"readyToUse\": \"maybe\", \"error\": \"x\", \"volumeSnapshotInfoList\": null}, \"metadata\": {\"name\": \"c\"}}"
      })
  void content_malformedFields_areIgnored(String object) throws IOException {
    assertThat(content(object)).isEqualTo(content("{\"metadata\": {\"name\": \"c\"}}"));
  }

  @Test
  void content_malformedSnapshots_areDecodedPartially() throws IOException {
    GroupSnapshotContent.Status status =
        content(
                """
                {"status": {"volumeSnapshotInfoList": [{"volumeHandle": "v", "creationTime": "x", "restoreSize": -1.5, "readyToUse": 1}, "x"]}}
                """)
            .status();
    assertThat(status.members())
        .containsExactly(new Member("v", "", 0, false, 0), new Member("", "", 0, false, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"spec\": [], \"status\": 1, \"metadata\": {\"name\": \"g\"}}",
        "{\"spec\": {\"source\": 1, \"volumeGroupSnapshotClassName\": {}}, \"metadata\": {\"name\": \"g\"}}",
        "{\"spec\": {\"source\": {\"selector\": null}}, \"status\": {\"creationTime\": {}, \"readyToUse\": []}, \"metadata\": {\"name\": \"g\"}}"
      })
  void group_malformedFields_areIgnored(String object) throws IOException {
    assertThat(group(object)).isEqualTo(group("{\"metadata\": {\"name\": \"g\"}}"));
  }

  @Test
  void class_defaultAnnotation_isDecoded() throws IOException {
    GroupSnapshotClass read =
        Encodings.fromJson(
            Kind.GROUP_SNAPSHOT_CLASS,
            """
            {"metadata": {"name": "fast", "annotations": {"groupsnapshot.storage.kubernetes.io/is-default-class": "true", "snapshot.storage.kubernetes.io/is-default-class": "x"}},
             "driver": "d", "deletionPolicy": "Retain", "parameters": {"a": "b", "c": null}, "later": {}}
            """);
    assertThat(read.meta().annotations()).isEqualTo(Map.of(GroupSnapshotClass.DEFAULT, "true"));
    assertThat(read.isDefault()).isTrue();
    assertThat(read.driver()).isEqualTo("d");
    assertThat(read.policy()).isEqualTo(ReclaimPolicy.RETAIN);
    assertThat(read.parameters()).isEqualTo(Map.of("a", "b"));
  }
}
