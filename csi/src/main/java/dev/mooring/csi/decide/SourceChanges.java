package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides which changes of sources and nodes can unblock a waiting claim, as judged by {@link
 * FillSourceRules} and {@link TopologyRules}. Other changes, for example another error of a pending
 * snapshot, requeue no claim.
 */
public final class SourceChanges {
  private SourceChanges() {}

  private static boolean isReplacedOrDeleted(Meta before, Meta now) {
    return !before.uid().equals(now.uid()) || before.isBeingDeleted() != now.isBeingDeleted();
  }

  public static boolean canUnblock(Claim before, Claim now) {
    return isReplacedOrDeleted(before.meta(), now.meta())
        || before.phase() != now.phase()
        || !before.volumeName().equals(now.volumeName())
        || !before.className().equals(now.className());
  }

  public static boolean canUnblock(Volume before, Volume now) {
    return isReplacedOrDeleted(before.meta(), now.meta()) || before.phase() != now.phase();
  }

  public static boolean canUnblock(VolumeSnapshot before, VolumeSnapshot now) {
    return isReplacedOrDeleted(before.meta(), now.meta())
        || before.status().ready() != now.status().ready()
        || !before.status().content().equals(now.status().content())
        || !before.status().restoreSize().equals(now.status().restoreSize());
  }

  // Reports whether the change of a snapshot's content matters. A change of nothing but the version
  // may be an annotation that allows another mode: caches drop annotations.
  public static boolean canUnblock(SnapshotContent before, SnapshotContent now) {
    return withoutVersion(before).equals(withoutVersion(now))
        || !before.status().handle().equals(now.status().handle())
        || !before.snapshot().equals(now.snapshot())
        || !before.mode().equals(now.mode())
        || !before.driver().equals(now.driver())
        || isReplacedOrDeleted(before.meta(), now.meta());
  }

  private static SnapshotContent withoutVersion(SnapshotContent content) {
    return content.withStatus(content.meta().withoutVersion(), content.status());
  }

  public static boolean canUnblock(Node before, Node now, List<String> keys) {
    Map<String, String> oldLabels = before.meta().labels();
    Map<String, String> labels = now.meta().labels();
    return keys.stream().anyMatch(key -> !Objects.equals(oldLabels.get(key), labels.get(key)));
  }

  public static List<String> topologyKeys(CsiNode node, String driver) {
    return node.drivers().stream()
        .filter(d -> d.name().equals(driver))
        .findFirst()
        .map(CsiNode.Driver::topologyKeys)
        .orElse(List.of());
  }
}
