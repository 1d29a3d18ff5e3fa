package dev.mooring.snapshots.execute;

import static dev.mooring.snapshots.execute.CommonWriter.ANNOTATIONS;
import static dev.mooring.snapshots.execute.CommonWriter.METADATA;
import static dev.mooring.snapshots.execute.CommonWriter.SPEC;
import static dev.mooring.snapshots.execute.CommonWriter.STATUS;

import dev.mooring.cluster.Document;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.GroupMember;
import dev.mooring.snapshots.decide.GroupStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class GroupDocuments {
  private GroupDocuments() {}

  static Document buildContent(GroupSnapshot group, GroupStep.CreateContent step) {
    Document object =
        Document.empty()
            .set(step.name(), METADATA, "name")
            .set(List.of(GroupSnapshotContent.BOUND_PROTECTION), METADATA, "finalizers")
            .set(
                buildReference(Kind.GROUP_SNAPSHOT, group.key(), group.meta().uid()),
                SPEC,
                "volumeGroupSnapshotRef")
            .set(step.handles(), SPEC, "source", "volumeHandles")
            .set(step.groupClass().meta().name(), SPEC, "volumeGroupSnapshotClassName")
            .set(step.groupClass().driver(), SPEC, "driver")
            .set(step.groupClass().policy().toString(), SPEC, "deletionPolicy");
    if (!step.secret().isNone()) {
      object
          .set(step.secret().name(), METADATA, ANNOTATIONS, GroupSnapshotContent.SECRET_NAME)
          .set(
              step.secret().namespace(),
              METADATA,
              ANNOTATIONS,
              GroupSnapshotContent.SECRET_NAMESPACE);
    }
    return object;
  }

  private static Map<String, Object> buildReference(Kind<?> kind, ObjectKey key, Uid uid) {
    Map<String, Object> reference = new LinkedHashMap<>();
    reference.put("apiVersion", kind.apiVersion());
    reference.put("kind", kind.kind());
    reference.put("namespace", key.namespace());
    reference.put("name", key.name());
    reference.put("uid", uid.toString());
    return reference;
  }

  static Document buildMember(GroupSnapshot group, GroupStep.CreateMember step) {
    return Document.empty()
        .set(step.name(), METADATA, "name")
        .set(group.key().namespace(), METADATA, "namespace")
        .set(List.of(VolumeSnapshot.GROUP_PROTECTION), METADATA, "finalizers")
        .set(
            List.of(
                Map.of(
                    "apiVersion",
                    Kind.GROUP_SNAPSHOT.apiVersion(),
                    "kind",
                    Kind.GROUP_SNAPSHOT.kind(),
                    "name",
                    group.key().name(),
                    "uid",
                    group.meta().uid().toString())),
            METADATA,
            "ownerReferences")
        .set(step.claim(), SPEC, "source", "persistentVolumeClaimName");
  }

  static Document buildContentBase(VolumeSnapshot snapshot, String name, String volumeHandle) {
    return Document.empty()
        .set(name, METADATA, "name")
        .set(List.of(SnapshotContent.BOUND_PROTECTION), METADATA, "finalizers")
        .set(
            buildReference(Kind.SNAPSHOT, snapshot.key(), snapshot.meta().uid()),
            SPEC,
            "volumeSnapshotRef")
        .set(volumeHandle, SPEC, "source", "volumeHandle");
  }

  static Document buildMemberContent(GroupStep.CreateMemberContent step) {
    GroupSnapshotContent groupContent = step.content();
    GroupMember member = step.member();
    VolumeSnapshot snapshot = step.snapshot();
    Document object =
        buildContentBase(
                snapshot, GroupMember.contentName(member.name()), member.info().volumeHandle())
            .set(
                groupContent.status().handle(), METADATA, ANNOTATIONS, SnapshotContent.GROUP_MEMBER)
            .set(groupContent.driver(), SPEC, "driver")
            .set(groupContent.policy().toString(), SPEC, "deletionPolicy");
    member
        .volume()
        .ifPresent(volume -> object.set(volume.volumeMode().toString(), SPEC, "sourceVolumeMode"));
    return addCredentials(
        object,
        groupContent.meta().annotation(GroupSnapshotContent.SECRET_NAMESPACE),
        groupContent.meta().annotation(GroupSnapshotContent.SECRET_NAME));
  }

  // Adds the Secret for deletions, if it has a name.
  static Document addCredentials(Document content, String namespace, String name) {
    if (!name.isEmpty()) {
      content
          .set(name, METADATA, ANNOTATIONS, SnapshotContent.SECRET_NAME)
          .set(namespace, METADATA, ANNOTATIONS, SnapshotContent.SECRET_NAMESPACE);
    }
    return content;
  }

  static Document buildMemberStatus(GroupStep.WriteMemberContent step) {
    GroupSnapshotContent.Member info = step.member().info();
    boolean isReady = info.ready() || step.content().status().ready();
    Document patch =
        Document.patchOf(step.memberContent().meta())
            .set(info.snapshotHandle(), STATUS, "snapshotHandle")
            .set(step.content().status().handle(), STATUS, "volumeGroupSnapshotHandle")
            .set(isReady, STATUS, "readyToUse");
    if (isReady) {
      patch.set(null, STATUS, "error"); // of a query before the group was complete
    }
    if (info.created() != 0) {
      patch.set(info.created(), STATUS, "creationTime");
    }
    if (info.restoreSize() != 0) {
      patch.set(info.restoreSize(), STATUS, "restoreSize");
    }
    return patch;
  }
}
