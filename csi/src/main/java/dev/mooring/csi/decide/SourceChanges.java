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

  private static boolean isReplacedOrDeleted(Meta old, Meta current) {
    return !old.uid().equals(current.uid()) || old.isBeingDeleted() != current.isBeingDeleted();
  }

  public static boolean canUnblock(Claim old, Claim current) {
    return isReplacedOrDeleted(old.meta(), current.meta())
        || old.phase() != current.phase()
        || !old.volumeName().equals(current.volumeName())
        || !old.className().equals(current.className());
  }

  public static boolean canUnblock(Volume old, Volume current) {
    return isReplacedOrDeleted(old.meta(), current.meta()) || old.phase() != current.phase();
  }

  public static boolean canUnblock(VolumeSnapshot old, VolumeSnapshot current) {
    return isReplacedOrDeleted(old.meta(), current.meta())
        || old.status().ready() != current.status().ready()
        || !old.status().content().equals(current.status().content())
        || !old.status().restoreSize().equals(current.status().restoreSize());
  }

  // Reports whether the change of a snapshot's content matters. A change of nothing but the version
  // may be an annotation that allows another mode: caches drop annotations.
  public static boolean canUnblock(SnapshotContent old, SnapshotContent current) {
    return withoutVersion(old).equals(withoutVersion(current))
        || !old.status().handle().equals(current.status().handle())
        || !old.snapshot().equals(current.snapshot())
        || !old.mode().equals(current.mode())
        || !old.driver().equals(current.driver())
        || isReplacedOrDeleted(old.meta(), current.meta());
  }

  private static SnapshotContent withoutVersion(SnapshotContent content) {
    return content.withStatus(content.meta().withoutVersion(), content.status());
  }

  public static boolean canUnblock(Node old, Node current, List<String> keys) {
    Map<String, String> oldLabels = old.meta().labels();
    Map<String, String> labels = current.meta().labels();
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
