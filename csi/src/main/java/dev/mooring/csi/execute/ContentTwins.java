package dev.mooring.csi.execute;

import dev.mooring.csi.decide.DataUser;
import dev.mooring.csi.decide.DriverData;
import dev.mooring.csi.decide.GroupContentRules;
import dev.mooring.csi.decide.SnapshotContentRules;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds contents that name the same snapshot or group at a driver. The results are cached
 * candidates: the verdict reads each of them live. Thread-safe.
 */
public final class ContentTwins {
  // Snapshot or group at a driver.
  private record DataHandle(String driver, boolean group, String id) {}

  private static final Index<SnapshotContent, DataHandle> SNAPSHOTS =
      new Index<>("snapshot at the driver", content -> handles(DriverData.of(content)));
  private static final Index<GroupSnapshotContent, DataHandle> GROUPS =
      new Index<>("group at the driver", content -> handles(DriverData.of(content)));

  private final Informer<SnapshotContent> snapshots;
  private final Optional<Informer<GroupSnapshotContent>> groups;

  public ContentTwins(SharedInformers informers, boolean withGroups) {
    this.snapshots = informers.of(Kind.SNAPSHOT_CONTENT, SNAPSHOTS);
    this.groups =
        withGroups
            ? Optional.of(informers.of(Kind.GROUP_SNAPSHOT_CONTENT, GROUPS))
            : Optional.empty();
  }

  private static Set<DataHandle> handles(DriverData data) {
    Set<DataHandle> all = new LinkedHashSet<>();
    data.snapshots().forEach(id -> all.add(new DataHandle(data.driver(), false, id)));
    if (!data.group().isEmpty()) {
      all.add(new DataHandle(data.driver(), true, data.group()));
    }
    return all;
  }

  public List<DataUser<?>> of(SnapshotContent content) {
    return users(DriverData.of(content), content.key(), ObjectKey.cluster(""));
  }

  public List<DataUser<?>> of(GroupSnapshotContent content) {
    return users(DriverData.of(content), ObjectKey.cluster(""), content.key());
  }

  private List<DataUser<?>> users(DriverData data, ObjectKey snapshot, ObjectKey group) {
    List<DataUser<?>> all = new ArrayList<>();
    found(snapshots, SNAPSHOTS, data).stream()
        .map(Resource::key)
        .filter(key -> !key.equals(snapshot))
        .forEach(key -> all.add(SnapshotContentRules.twin(key, data)));
    groups.stream()
        .flatMap(informer -> found(informer, GROUPS, data).stream())
        .map(Resource::key)
        .filter(key -> !key.equals(group))
        .forEach(key -> all.add(GroupContentRules.twin(key, data)));
    return all;
  }

  private static <C extends Resource> Set<C> found(
      Informer<C> informer, Index<C, DataHandle> index, DriverData data) {
    Set<C> all = new LinkedHashSet<>();
    handles(data).forEach(handle -> informer.findByIndex(index, handle).forEach(all::add));
    return all;
  }

  public List<ObjectKey> waitingFor(SnapshotContent content) {
    return waiting(found(snapshots, SNAPSHOTS, DriverData.of(content)), content.key());
  }

  public List<ObjectKey> waitingFor(GroupSnapshotContent content) {
    return groups
        .map(informer -> waiting(found(informer, GROUPS, DriverData.of(content)), content.key()))
        .orElse(List.of());
  }

  private static List<ObjectKey> waiting(Set<? extends Resource> found, ObjectKey other) {
    return found.stream()
        .filter(content -> content.meta().isBeingDeleted())
        .map(Resource::key)
        .filter(key -> !key.equals(other))
        .toList();
  }
}
