package dev.mooring.csi.state;

import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataUser;
import dev.mooring.csi.decide.DriverData;
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
  private record NamedData(String driver, boolean group, String id) {}

  private static final Index<SnapshotContent, NamedData> SNAPSHOTS =
      new Index<>("snapshot at the driver", content -> named(ContentView.of(content)));
  private static final Index<GroupSnapshotContent, NamedData> GROUPS =
      new Index<>("group at the driver", content -> named(ContentView.of(content)));

  private final Informer<SnapshotContent> snapshots;
  private final Optional<Informer<GroupSnapshotContent>> groups;

  public ContentTwins(SharedInformers informers, boolean withGroups) {
    this.snapshots = informers.of(Kind.SNAPSHOT_CONTENT, SNAPSHOTS);
    this.groups =
        withGroups
            ? Optional.of(informers.of(Kind.GROUP_SNAPSHOT_CONTENT, GROUPS))
            : Optional.empty();
  }

  private static Set<NamedData> named(ContentView content) {
    DriverData data = content.data();
    Set<NamedData> all = new LinkedHashSet<>();
    data.snapshots().forEach(id -> all.add(new NamedData(data.driver(), false, id)));
    if (!data.group().isEmpty()) {
      all.add(new NamedData(data.driver(), true, data.group()));
    }
    return all;
  }

  // Reports whether the contents of snapshots are complete. A cluster may not serve groups.
  public boolean areSynced() {
    return snapshots.isSynced();
  }

  public List<DataUser<?>> of(ContentView content) {
    List<DataUser<?>> users = new ArrayList<>();
    for (ObjectKey twin : twins(snapshots, SNAPSHOTS, content)) {
      users.add(ContentRules.twin(Kind.SNAPSHOT_CONTENT, twin, content.data()));
    }
    if (groups.isPresent()) {
      for (ObjectKey twin : twins(groups.get(), GROUPS, content)) {
        users.add(ContentRules.twin(Kind.GROUP_SNAPSHOT_CONTENT, twin, content.data()));
      }
    }
    return users;
  }

  private static <C extends Resource> Set<ObjectKey> twins(
      Informer<C> informer, Index<C, NamedData> index, ContentView content) {
    Set<ObjectKey> found = new LinkedHashSet<>();
    for (NamedData data : named(content)) {
      informer.findByIndex(index, data).forEach(twin -> found.add(twin.key()));
    }
    if (content.kind().content().equals(informer.kind())) {
      found.remove(content.key());
    }
    return found;
  }

  // Returns contents of the same kind whose deletion the content may block.
  public List<ObjectKey> blockedBy(ContentView content) {
    return switch (content.kind()) {
      case SNAPSHOT -> beingDeleted(snapshots, SNAPSHOTS, content);
      case GROUP ->
          groups.map(informer -> beingDeleted(informer, GROUPS, content)).orElse(List.of());
    };
  }

  private static <C extends Resource> List<ObjectKey> beingDeleted(
      Informer<C> informer, Index<C, NamedData> index, ContentView content) {
    return twins(informer, index, content).stream()
        .filter(key -> informer.get(key).filter(c -> c.meta().isBeingDeleted()).isPresent())
        .toList();
  }
}
