package dev.mooring.reference;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Volumes: one file each, which outlives the driver's process. */
public final class VolumeStore {
  /**
   * Volume.
   *
   * @param source id of the snapshot or volume that it was created from; "" for none
   */
  public record Item(
      String id, String name, long bytes, Set<String> nodes, String parameters, String source) {
    Item grown(long size) {
      return new Item(id, name, size, nodes, parameters, source);
    }

    public Item withPublishedNodes(Set<String> now) {
      return new Item(id, name, bytes, Set.copyOf(now), parameters, source);
    }

    Item with(String now) {
      return new Item(id, name, bytes, nodes, now, source);
    }
  }

  /** Total capacity that the driver reports, in bytes. */
  public static final long ROOM = 100L << 30;

  private final Path folder;
  private final SnapshotStore snapshots;
  private final GroupStore groups;
  private final Set<String> names = new HashSet<>();
  private final Map<String, String> ills = new ConcurrentHashMap<>();
  private final Set<String> kept = ConcurrentHashMap.newKeySet();
  private final List<String> offences = new ArrayList<>();
  private final List<String> history = new ArrayList<>();

  public VolumeStore(Path folder) {
    this.folder = folder;
    this.snapshots = new SnapshotStore(folder);
    this.groups = new GroupStore(snapshots);
  }

  public SnapshotStore snapshots() {
    return snapshots;
  }

  public GroupStore groups() {
    return groups;
  }

  /** Returns how many volumes were ever created. */
  public synchronized int countCreated() {
    return names.size();
  }

  /** Returns calls that no correct caller makes, and volumes created twice. */
  public synchronized List<String> offences() {
    return List.copyOf(offences);
  }

  synchronized void recordOffence(String offence) {
    offences.add(offence);
  }

  /** Returns recorded actions that contain one of the words, oldest first. */
  public synchronized List<String> happened(Set<String> words) {
    return history.stream().filter(line -> words.stream().anyMatch(line::contains)).toList();
  }

  synchronized void record(String action) {
    history.add(Instant.now() + " driver: " + action);
  }

  /** Sets the volume's abnormal condition; "" for none. */
  public void ail(String id, String action) {
    ills.put(id, action);
  }

  /** Makes the driver confirm deletions of the volume without deleting it. */
  public void keep(String id) {
    kept.add(id);
  }

  String ill(String id) {
    return ills.getOrDefault(id, "");
  }

  public synchronized List<Item> listVolumes() {
    List<Item> list = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "vol-*")) {
      for (Path file : files) {
        list.add(read(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return list;
  }

  synchronized Optional<Item> get(String id) {
    Path file = folder.resolve(id);
    return id.startsWith("vol-") && Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
  }

  synchronized Optional<Item> findByName(String name) {
    return listVolumes().stream().filter(i -> i.name().equals(name)).findFirst();
  }

  public synchronized Item add(String name, long bytes, String parameters, String source) {
    if (!names.add(name)) {
      recordOffence(name + " is created for the second time");
    }
    Item item = new Item("vol-" + UUID.randomUUID(), name, bytes, Set.of(), parameters, source);
    put(item);
    record("creates " + name + " as " + item.id());
    return item;
  }

  public synchronized void put(Item item) {
    Properties properties = new Properties();
    properties.setProperty("name", item.name());
    properties.setProperty("bytes", Long.toString(item.bytes()));
    properties.setProperty("nodes", String.join(" ", new TreeSet<>(item.nodes())));
    properties.setProperty("parameters", item.parameters());
    properties.setProperty("source", item.source());
    try {
      Path draft = Files.createTempFile(folder, "draft", "");
      try (OutputStream out = Files.newOutputStream(draft)) {
        properties.store(out, null);
      }
      Files.move(draft, folder.resolve(item.id()), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void remove(String id) {
    if (kept.contains(id)) {
      return;
    }
    record("deletes " + id);
    try {
      Files.deleteIfExists(folder.resolve(id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Item read(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String nodes = properties.getProperty("nodes");
    return new Item(
        file.getFileName().toString(),
        properties.getProperty("name"),
        Long.parseLong(properties.getProperty("bytes")),
        nodes.isEmpty() ? Set.of() : Set.of(nodes.split(" ")),
        properties.getProperty("parameters"),
        properties.getProperty("source"));
  }
}
