package dev.mooring.provisioner.state;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Deleted PersistentVolumes whose storage must be gone, since the start. Thread-safe. */
public final class DeletedVolumes {
  private record Entry(Volume last, boolean isOrphaned) {}

  private final Map<ObjectKey, Entry> volumes = new ConcurrentHashMap<>();

  public void add(Volume last) {
    volumes.put(last.key(), new Entry(last, false));
  }

  public Optional<Volume> find(ObjectKey key) {
    return Optional.ofNullable(volumes.get(key)).map(Entry::last);
  }

  // false if it is known already, or if another object had the name meanwhile
  public boolean markOrphaned(ObjectKey key, Uid uid) {
    Entry entry = volumes.get(key);
    return entry != null
        && !entry.isOrphaned()
        && entry.last().meta().uid().equals(uid)
        && volumes.replace(key, entry, new Entry(entry.last(), true));
  }

  public void forget(ObjectKey key) {
    volumes.remove(key);
  }

  public List<Volume> orphans() {
    return volumes.values().stream().filter(Entry::isOrphaned).map(Entry::last).toList();
  }
}
