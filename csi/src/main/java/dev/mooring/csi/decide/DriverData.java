package dev.mooring.csi.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.SnapshotContent;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Snapshots and group that a content names at a driver.
 *
 * @param group the group's handle; "" if the content is not of a group
 * @param snapshots the handles of the snapshots
 */
public record DriverData(String driver, String group, Set<String> snapshots) {
  public DriverData {
    snapshots = Set.copyOf(snapshots);
  }

  public static DriverData of(SnapshotContent content) {
    return new DriverData(
        content.driver(),
        "",
        present(Stream.of(content.status().handle(), content.source().snapshotHandle())));
  }

  public static DriverData of(GroupSnapshotContent content) {
    String written = content.status().handle();
    List<String> made = content.status().members().stream().map(Member::snapshotHandle).toList();
    return new DriverData(
        content.driver(),
        written.isEmpty() ? content.source().groupHandle() : written,
        present(Stream.concat(made.stream(), content.source().snapshotHandles().stream())));
  }

  private static Set<String> present(Stream<String> handles) {
    Set<String> all = new LinkedHashSet<>(handles.toList());
    all.remove("");
    return all;
  }

  public boolean overlaps(DriverData other) {
    boolean sameGroup = !group.isEmpty() && group.equals(other.group);
    return driver.equals(other.driver)
        && (sameGroup || !Collections.disjoint(snapshots, other.snapshots));
  }
}
