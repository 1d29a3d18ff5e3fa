package dev.mooring.manager.undo;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Restores deleted snapshots. The source of a content cannot be changed, so a second content for
 * the same data replaces the condemned one. Each step is planned from what the API server returns,
 * so that an interrupted undo continues.
 */
public final class SnapshotUndo {
  private static final int MAX_CONFLICTS = 20;

  private enum Step {
    KEEP_DATA,
    CREATE_CONTENT,
    CREATE_SNAPSHOT,
    MARK_OLD_CONTENT,
    DELETE_OLD_CONTENT
  }

  private record Plan(SnapshotContent content, Step step) {
    ObjectKey snapshot() {
      return content.snapshot().key();
    }
  }

  private final LiveReader reader;
  private final ClusterWriter writer;
  private final ManifestWriter manifests;
  private final Time time;

  public SnapshotUndo(
      LiveReader reader, ClusterWriter writer, ManifestWriter manifests, Time time) {
    this.reader = reader;
    this.writer = writer;
    this.manifests = manifests;
    this.time = time;
  }

  /**
   * Returns the condemned contents whose snapshots were in the namespace.
   *
   * @throws UndoStoppedException if contents cannot be listed
   */
  public List<ObjectKey> findContents(String namespace)
      throws UndoStoppedException, InterruptedException {
    return switch (reader.list(Kind.SNAPSHOT_CONTENT, "")) {
      case ReadResult.Found<List<SnapshotContent>>(List<SnapshotContent> all) ->
          all.stream()
              .filter(Condemnation::isCondemned)
              .filter(content -> !isReplaced(content))
              .filter(content -> content.snapshot().key().namespace().equals(namespace))
              .map(SnapshotContent::key)
              .toList();
      case ReadResult.Absent<List<SnapshotContent>> _ -> List.of();
      case ReadResult.Failed<List<SnapshotContent>>(String message) ->
          throw new UndoStoppedException(
              "snapshots are not restored, because they cannot be listed: %s: repeat the command with the right to list volumesnapshotcontents"
                  .formatted(message));
    };
  }

  // the last step of an earlier undo: the snapshot has another content
  private static boolean isReplaced(SnapshotContent content) {
    return content.policy() == ReclaimPolicy.RETAIN && content.meta().isBeingDeleted();
  }

  public ObjectKey plan(ObjectKey content) throws UndoStoppedException, InterruptedException {
    return nextStep(content).snapshot();
  }

  public ObjectKey run(ObjectKey content) throws UndoStoppedException, InterruptedException {
    int conflicts = 0;
    while (true) {
      Plan plan = nextStep(content);
      WriteResult<?> result = execute(plan);
      if (plan.step() == Step.DELETE_OLD_CONTENT
          && (result instanceof WriteResult.Written<?> || result instanceof WriteResult.Gone<?>)) {
        return plan.snapshot();
      }
      if (result instanceof WriteResult.Conflict<?> && ++conflicts < MAX_CONFLICTS) {
        continue;
      }
      if (!(result instanceof WriteResult.Written<?>)) {
        throw new UndoStoppedException(
            "content %s is not restored yet: %s: repeat the command, which continues"
                .formatted(content, result));
      }
    }
  }

  private Plan nextStep(ObjectKey key) throws UndoStoppedException, InterruptedException {
    SnapshotContent content =
        require(
            reader.read(Kind.SNAPSHOT_CONTENT, key),
            "content %s does not exist: its snapshot is restored already, or its data is destroyed; see 'kubectl get volumesnapshotcontents'"
                .formatted(key));
    if (!Condemnation.isCondemned(content)) {
      throw new UndoStoppedException(
          "content %s is not condemned: see 'mooring explain vsc/%s'".formatted(key, key.name()));
    }
    ObjectKey snapshot = content.snapshot().key();
    Optional<VolumeSnapshot> existing = readOptional(reader.read(Kind.SNAPSHOT, snapshot));
    if (existing
        .filter(s -> !s.sourceContent().equals(RestoredSnapshot.contentName(content)))
        .isPresent()) {
      throw new UndoStoppedException(
          "snapshot %s exists already: delete it, then repeat the command".formatted(snapshot));
    }
    if (existing.isEmpty()) {
      requireNamespace(snapshot.namespace());
    }
    return new Plan(content, chooseStep(content, existing.isPresent()));
  }

  private Step chooseStep(SnapshotContent content, boolean isSnapshotRestored)
      throws UndoStoppedException, InterruptedException {
    if (content.policy() == ReclaimPolicy.DELETE) {
      checkDeadline(content);
      return Step.KEEP_DATA;
    }
    ObjectKey restored = ObjectKey.cluster(RestoredSnapshot.contentName(content));
    if (readOptional(reader.read(Kind.SNAPSHOT_CONTENT, restored)).isEmpty()) {
      return Step.CREATE_CONTENT;
    }
    if (!isSnapshotRestored) {
      return Step.CREATE_SNAPSHOT;
    }
    return content.meta().hasAnnotation(SnapshotContent.BEING_DELETED)
        ? Step.DELETE_OLD_CONTENT
        : Step.MARK_OLD_CONTENT;
  }

  private void checkDeadline(SnapshotContent content) throws UndoStoppedException {
    Optional<Instant> deadline = Condemnation.deadline(content);
    boolean isOver = deadline.isPresent() && !deadline.get().isAfter(time.now());
    if (isOver
        || content.meta().isBeingDeleted()
        || content.meta().hasAnnotation(SnapshotContent.BEING_DELETED)) {
      throw new UndoStoppedException(
          "the deadline of content %s was %s, so its data may be destroyed already: if the content stays, set its deletionPolicy to Retain and check its data"
              .formatted(content.key(), content.meta().annotation(Condemnation.UNTIL)));
    }
  }

  private void requireNamespace(String name) throws UndoStoppedException, InterruptedException {
    Map<String, Object> namespace =
        require(
            reader.readWhole(UndoRights.NAMESPACE, ObjectKey.cluster(name)),
            "namespace %s does not exist: run 'kubectl create namespace %s', then repeat the command"
                .formatted(name, name));
    if (new RawObject(namespace).at("metadata").contains("deletionTimestamp")) {
      throw new UndoStoppedException(
          "namespace %s is being deleted: wait until it is gone, create it again, then repeat the command"
              .formatted(name));
    }
  }

  private static <T> T require(ReadResult<T> result, String absence) throws UndoStoppedException {
    return readOptional(result).orElseThrow(() -> new UndoStoppedException(absence));
  }

  private static <T> Optional<T> readOptional(ReadResult<T> result) throws UndoStoppedException {
    if (result instanceof ReadResult.Failed<T>(String message)) {
      throw new UndoStoppedException(message + ": repeat the command with the right to get it");
    }
    return result.toOptional();
  }

  private WriteResult<?> execute(Plan plan) throws UndoStoppedException, InterruptedException {
    SnapshotContent content = plan.content();
    ObjectKey restored = ObjectKey.cluster(RestoredSnapshot.contentName(content));
    return switch (plan.step()) {
      // the judged version: a controller may have begun to destroy the data
      case KEEP_DATA ->
          writer.patch(
              Kind.SNAPSHOT_CONTENT,
              content.key(),
              Document.patchOf(content.meta()).set("Retain", "spec", "deletionPolicy"));
      case CREATE_CONTENT ->
          manifests.create(
              Kind.SNAPSHOT_CONTENT, restored, RestoredSnapshot.content(content, whole(content)));
      case CREATE_SNAPSHOT ->
          manifests.create(
              Kind.SNAPSHOT, plan.snapshot(), RestoredSnapshot.snapshot(content, whole(content)));
      // without the mark, the driver's part would hold the old content
      case MARK_OLD_CONTENT ->
          writer.patch(
              Kind.SNAPSHOT_CONTENT,
              content.key(),
              Document.patchOf(content.meta())
                  .set("yes", "metadata", "annotations", SnapshotContent.BEING_DELETED));
      case DELETE_OLD_CONTENT ->
          writer.delete(Kind.SNAPSHOT_CONTENT, content.key(), content.meta().uid());
    };
  }

  private RawObject whole(SnapshotContent content)
      throws UndoStoppedException, InterruptedException {
    return new RawObject(
        require(
            reader.readWhole(Kind.SNAPSHOT_CONTENT, content.key()),
            "content %s does not exist: see 'kubectl get volumesnapshotcontents'"
                .formatted(content.key())));
  }
}
