package dev.mooring.csi.state;

import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataUser;
import dev.mooring.csi.decide.DriverData;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListRefusal;
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
  private record DriverObject(String driver, boolean isGroup, String id) {}

  private static final Index<SnapshotContent, DriverObject> SNAPSHOT_INDEX =
      new Index<>("snapshot at the driver", content -> listDriverObjects(ContentView.of(content)));
  private static final Index<GroupSnapshotContent, DriverObject> GROUP_INDEX =
      new Index<>("group at the driver", content -> listDriverObjects(ContentView.of(content)));

  private final Informer<SnapshotContent> snapshots;
  private final Optional<Informer<GroupSnapshotContent>> groups;

  public ContentTwins(SharedInformers informers, boolean servesGroups) {
    this.snapshots = informers.of(Kind.SNAPSHOT_CONTENT, SNAPSHOT_INDEX);
    this.groups =
        servesGroups
            ? Optional.of(informers.of(Kind.GROUP_SNAPSHOT_CONTENT, GROUP_INDEX))
            : Optional.empty();
  }

  private static Set<DriverObject> listDriverObjects(ContentView content) {
    DriverData data = content.data();
    Set<DriverObject> objects = new LinkedHashSet<>();
    data.snapshots().forEach(id -> objects.add(new DriverObject(data.driver(), false, id)));
    if (!data.group().isEmpty()) {
      objects.add(new DriverObject(data.driver(), true, data.group()));
    }
    return objects;
  }

  // Reports whether the contents of snapshots are complete. A cluster may not serve groups.
  public boolean areSynced() {
    return snapshots.isSynced();
  }

  // Reports whether every group is known that may need a snapshot: the contents of groups are
  // complete, or the cluster serves none.
  public boolean areGroupsKnown() {
    return groups.map(ContentTwins::isComplete).orElse(true);
  }

  private static boolean isComplete(Informer<?> groupContents) {
    return groupContents.isSynced()
        || groupContents
            .refusal()
            .filter(refusal -> refusal.cause() == ListRefusal.Cause.NOT_SERVED)
            .isPresent();
  }

  public List<DataUser<?>> findUsers(ContentView content) {
    List<DataUser<?>> users = new ArrayList<>();
    for (ObjectKey twin : findTwins(snapshots, SNAPSHOT_INDEX, content)) {
      users.add(ContentRules.createTwinUser(Kind.SNAPSHOT_CONTENT, twin, content.data()));
    }
    if (groups.isPresent()) {
      for (ObjectKey twin : findTwins(groups.get(), GROUP_INDEX, content)) {
        users.add(ContentRules.createTwinUser(Kind.GROUP_SNAPSHOT_CONTENT, twin, content.data()));
      }
    }
    return users;
  }

  private static <C extends Resource> Set<ObjectKey> findTwins(
      Informer<C> informer, Index<C, DriverObject> index, ContentView content) {
    Set<ObjectKey> twinKeys = new LinkedHashSet<>();
    for (DriverObject data : listDriverObjects(content)) {
      informer.findByIndex(index, data).forEach(twin -> twinKeys.add(twin.key()));
    }
    if (content.kind().content().equals(informer.kind())) {
      twinKeys.remove(content.key());
    }
    return twinKeys;
  }

  // Returns contents of the same kind whose deletion the content may block.
  public List<ObjectKey> findBlockedDeletions(ContentView content) {
    return switch (content.kind()) {
      case SNAPSHOT -> findDeletedTwins(snapshots, SNAPSHOT_INDEX, content);
      case GROUP ->
          groups
              .map(informer -> findDeletedTwins(informer, GROUP_INDEX, content))
              .orElse(List.of());
    };
  }

  private static <C extends Resource> List<ObjectKey> findDeletedTwins(
      Informer<C> informer, Index<C, DriverObject> index, ContentView content) {
    return findTwins(informer, index, content).stream()
        .filter(key -> informer.get(key).filter(c -> c.meta().isBeingDeleted()).isPresent())
        .toList();
  }
}
