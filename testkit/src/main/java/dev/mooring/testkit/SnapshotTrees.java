package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class SnapshotTrees {
  private SnapshotTrees() {}

  static VolumeSnapshot snapshot(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    JsonTree status = tree.child("status");
    return new VolumeSnapshotBuilder(tree.meta().key())
        .sourceClaim(spec.child("source").text("persistentVolumeClaimName"))
        .sourceContent(spec.child("source").text("volumeSnapshotContentName"))
        .className(spec.text("volumeSnapshotClassName"))
        .status(
            new VolumeSnapshot.Status(
                status.text("boundVolumeSnapshotContentName"),
                status.flag("readyToUse"),
                status.seconds("creationTime"),
                status.contains("restoreSize")
                    ? Optional.of(Quantity.of(status.text("restoreSize")))
                    : Optional.empty(),
                problem(status),
                status.text("volumeGroupSnapshotName")))
        .meta(tree.meta())
        .build();
  }

  static SnapshotContent content(JsonTree tree) {
    JsonTree spec = tree.child("spec");
    JsonTree status = tree.child("status");
    return new SnapshotContentBuilder(tree.meta().key())
        .snapshot(reference(spec.child("volumeSnapshotRef")))
        .policy(policy(spec))
        .driver(spec.text("driver"))
        .className(spec.text("volumeSnapshotClassName"))
        .source(
            new SnapshotContent.Source(
                spec.child("source").text("volumeHandle"),
                spec.child("source").text("snapshotHandle")))
        .mode(
            spec.contains("sourceVolumeMode")
                ? Optional.of(VolumeMode.of(spec.text("sourceVolumeMode")))
                : Optional.empty())
        .status(
            new SnapshotContent.Status(
                status.text("snapshotHandle"),
                status.number("creationTime"),
                status.number("restoreSize"),
                status.flag("readyToUse"),
                problem(status),
                status.text("volumeGroupSnapshotHandle")))
        .meta(tree.meta())
        .build();
  }

  static SnapshotClass snapshotClass(JsonTree tree) {
    return new SnapshotClassBuilder(tree.meta().key())
        .driver(tree.text("driver"))
        .parameters(tree.map("parameters"))
        .policy(policy(tree))
        .meta(tree.meta())
        .build();
  }

  static ReclaimPolicy policy(JsonTree tree) {
    return switch (tree.text("deletionPolicy")) {
      case "Delete" -> ReclaimPolicy.DELETE;
      case "Retain" -> ReclaimPolicy.RETAIN;
      default -> ReclaimPolicy.UNKNOWN;
    };
  }

  static SnapshotContent.Ref reference(JsonTree ref) {
    return new SnapshotContent.Ref(
        ObjectKey.of(ref.text("namespace"), ref.text("name")), Uid.of(ref.text("uid")));
  }

  static Problem problem(JsonTree status) {
    JsonTree error = status.child("error");
    return new Problem(error.seconds("time"), error.text("message"));
  }

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
