package dev.mooring.testkit;

import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class SnapshotTrees {
  private SnapshotTrees() {}

  static JsonTree of(JsonTree metadata, VolumeSnapshot snapshot) {
    VolumeSnapshot.Status status = snapshot.status();
    return metadata
        .with(
            "spec",
            JsonTree.EMPTY
                .with(
                    "source",
                    JsonTree.EMPTY
                        .withText("persistentVolumeClaimName", snapshot.sourceClaim())
                        .withText("volumeSnapshotContentName", snapshot.sourceContent()))
                .withText("volumeSnapshotClassName", snapshot.className()))
        .with(
            "status",
            JsonTree.EMPTY
                .withText("boundVolumeSnapshotContentName", status.content())
                .with("readyToUse", trueOrNull(status.ready()))
                .with("creationTime", JsonTree.time(status.created()))
                .with("restoreSize", status.restoreSize().map(Quantity::toString).orElse(null))
                .with("error", of(status.problem()))
                .withText("volumeGroupSnapshotName", status.group()));
  }

  static JsonTree of(JsonTree metadata, SnapshotContent content) {
    SnapshotContent.Status status = content.status();
    return metadata
        .with(
            "spec",
            JsonTree.EMPTY
                .with("volumeSnapshotRef", of(content.snapshot()))
                .withText("deletionPolicy", content.policy().toString())
                .with("driver", content.driver())
                .withText("volumeSnapshotClassName", content.className())
                .with(
                    "source",
                    JsonTree.EMPTY
                        .withText("volumeHandle", content.source().volumeHandle())
                        .withText("snapshotHandle", content.source().snapshotHandle()))
                .with("sourceVolumeMode", content.mode().map(VolumeMode::toString).orElse(null)))
        .with(
            "status",
            JsonTree.EMPTY
                .withText("snapshotHandle", status.handle())
                .with("creationTime", nonZeroOrNull(status.created()))
                .with("restoreSize", nonZeroOrNull(status.restoreSize()))
                .with("readyToUse", trueOrNull(status.ready()))
                .with("error", of(status.problem()))
                .withText("volumeGroupSnapshotHandle", status.group()));
  }

  static JsonTree ofClass(
      JsonTree metadata, String driver, Map<String, String> parameters, ReclaimPolicy policy) {
    return metadata
        .with("driver", driver)
        .with("parameters", parameters)
        .withText("deletionPolicy", policy.toString());
  }

  static Map<String, @Nullable Object> of(SnapshotContent.Ref ref) {
    return JsonTree.EMPTY
        .withText("namespace", ref.key().namespace())
        .withText("name", ref.key().name())
        .withText("uid", ref.uid().toString())
        .members();
  }

  static @Nullable Map<String, @Nullable Object> of(Problem problem) {
    return problem.equals(Problem.NONE)
        ? null
        : JsonTree.EMPTY
            .with("time", JsonTree.time(problem.time()))
            .with("message", problem.message())
            .members();
  }

  static @Nullable Long nonZeroOrNull(long value) {
    return value == 0 ? null : value;
  }

  static @Nullable Boolean trueOrNull(boolean value) {
    return value ? true : null;
  }
}
