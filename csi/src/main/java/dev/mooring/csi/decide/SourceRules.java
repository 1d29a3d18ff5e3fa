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
 * Which changes of what volumes are filled from, and of where they are made, may be the end of what
 * a claim waits for: what {@link ContentRules} and {@link Topologies} look at. All others, such as
 * the next error of a snapshot that is being made, cost those who wait nothing.
 */
public final class SourceRules {
  private SourceRules() {}

  private static boolean isAnother(Meta before, Meta now) {
    return !before.uid().equals(now.uid()) || before.isBeingDeleted() != now.isBeingDeleted();
  }

  /** Of a claim that is copied. */
  public static boolean concerns(Claim before, Claim now) {
    return isAnother(before.meta(), now.meta())
        || before.phase() != now.phase()
        || !before.volumeName().equals(now.volumeName())
        || !before.className().equals(now.className());
  }

  /** Of the volume of one. */
  public static boolean concerns(Volume before, Volume now) {
    return isAnother(before.meta(), now.meta()) || before.phase() != now.phase();
  }

  /** Of a snapshot. */
  public static boolean concerns(VolumeSnapshot before, VolumeSnapshot now) {
    return isAnother(before.meta(), now.meta())
        || before.status().ready() != now.status().ready()
        || !before.status().content().equals(now.status().content())
        || !before.status().restoreSize().equals(now.status().restoreSize());
  }

  /** Of its content: another mode may be allowed by an annotation, which no cache shows. */
  public static boolean concerns(SnapshotContent before, SnapshotContent now) {
    return unversioned(before).equals(unversioned(now))
        || !before.status().handle().equals(now.status().handle())
        || !before.snapshot().equals(now.snapshot())
        || !before.mode().equals(now.mode())
        || !before.driver().equals(now.driver())
        || isAnother(before.meta(), now.meta());
  }

  private static SnapshotContent unversioned(SnapshotContent content) {
    return content.with(content.meta().unversioned(), content.status());
  }

  /** Of a node's labels, by some of which a driver says where it is. */
  public static boolean concerns(Node before, Node now, List<String> keys) {
    Map<String, String> then = before.meta().labels();
    Map<String, String> labels = now.meta().labels();
    return keys.stream().anyMatch(key -> !Objects.equals(then.get(key), labels.get(key)));
  }

  /** The labels by which a driver says where the node is; none if it does not run there. */
  public static List<String> keys(CsiNode node, String driver) {
    return node.drivers().stream()
        .filter(d -> d.name().equals(driver))
        .findFirst()
        .map(CsiNode.Driver::topologyKeys)
        .orElse(List.of());
  }
}
