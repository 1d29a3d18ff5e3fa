package dev.mooring.testkit;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class GroupTrees {
  private GroupTrees() {}

  static JsonTree of(JsonTree metadata, GroupSnapshot group) {
    GroupSnapshot.Status status = group.status();
    return metadata
        .with(
            "spec",
            JsonTree.EMPTY
                .with(
                    "source",
                    JsonTree.EMPTY
                        .with("selector", group.selector().map(GroupTrees::of).orElse(null))
                        .withText("volumeGroupSnapshotContentName", group.sourceContent()))
                .withText("volumeGroupSnapshotClassName", group.className()))
        .with(
            "status",
            JsonTree.EMPTY
                .withText("boundVolumeGroupSnapshotContentName", status.content())
                .with("readyToUse", SnapshotTrees.trueOrNull(status.ready()))
                .with("creationTime", JsonTree.time(status.created()))
                .with("error", SnapshotTrees.of(status.problem())));
  }

  static JsonTree of(JsonTree metadata, GroupSnapshotContent content) {
    GroupSnapshotContent.Status status = content.status();
    return metadata
        .with(
            "spec",
            JsonTree.EMPTY
                .with("volumeGroupSnapshotRef", SnapshotTrees.of(content.group()))
                .withText("deletionPolicy", content.policy().toString())
                .with("driver", content.driver())
                .withText("volumeGroupSnapshotClassName", content.className())
                .with("source", of(content.source())))
        .with(
            "status",
            JsonTree.EMPTY
                .withText("volumeGroupSnapshotHandle", status.handle())
                .with("creationTime", JsonTree.time(status.created()))
                .with("readyToUse", SnapshotTrees.trueOrNull(status.ready()))
                .with("error", SnapshotTrees.of(status.problem()))
                .with(
                    "volumeSnapshotInfoList",
                    status.members().isEmpty()
                        ? null
                        : status.members().stream().map(GroupTrees::of).toList()));
  }

  private static Map<String, @Nullable Object> of(GroupSnapshotContent.Source source) {
    return source.groupHandle().isEmpty()
        ? JsonTree.EMPTY.with("volumeHandles", source.volumeHandles()).members()
        : JsonTree.EMPTY
            .with(
                "groupSnapshotHandles",
                JsonTree.EMPTY
                    .with("volumeGroupSnapshotHandle", source.groupHandle())
                    .with("volumeSnapshotHandles", source.snapshotHandles()))
            .members();
  }

  private static Map<String, @Nullable Object> of(Member member) {
    return JsonTree.EMPTY
        .withText("volumeHandle", member.volumeHandle())
        .withText("snapshotHandle", member.snapshotHandle())
        .with("creationTime", SnapshotTrees.nonZeroOrNull(member.created()))
        .with("readyToUse", SnapshotTrees.trueOrNull(member.ready()))
        .with("restoreSize", SnapshotTrees.nonZeroOrNull(member.restoreSize()))
        .members();
  }

  static Map<String, @Nullable Object> of(LabelSelector selector) {
    List<Map<String, @Nullable Object>> expressions = new ArrayList<>();
    selector
        .matchExpressions()
        .forEach(requirement ->
            expressions.add(
                JsonTree.EMPTY
                    .with("key", requirement.key())
                    .with("operator", requirement.operator())
                    .with("values", requirement.values().isEmpty() ? null : requirement.values())
                    .members()));
    return JsonTree.EMPTY
        .with("matchLabels", selector.matchLabels().isEmpty() ? null : selector.matchLabels())
        .with("matchExpressions", expressions.isEmpty() ? null : List.copyOf(expressions))
        .members();
  }
}
