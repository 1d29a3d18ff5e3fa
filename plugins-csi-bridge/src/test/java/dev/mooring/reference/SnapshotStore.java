package dev.mooring.reference;

import com.google.protobuf.Timestamp;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateSnapshotResponse;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteSnapshotResponse;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.Snapshot;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Snapshots: one file each, which outlives the driver's process. */
public final class SnapshotStore {
  /**
   * Snapshot.
   *
   * @param parameters parameters of the request
   * @param group the snapshot's group; "" for none
   */
  public record Cut(
      String id,
      String name,
      String volume,
      long bytes,
      long seconds,
      String parameters,
      String group) {}

  private final Path folder;
  private final Set<String> names = new HashSet<>();
  private boolean slow;
  private boolean ignoresIds;
  private final List<String> duplicates = new ArrayList<>();

  SnapshotStore(Path folder) {
    this.folder = folder;
  }

  /** Sets whether new snapshots stay unready. */
  public synchronized void slow(boolean now) {
    slow = now;
  }

  /** Sets whether ListSnapshots ignores the requested id and answers with every snapshot. */
  public synchronized void ignoreIds(boolean now) {
    ignoresIds = now;
  }

  synchronized boolean isSlow() {
    return slow;
  }

  /** Returns the names of snapshots that were created more than once. */
  public synchronized List<String> twice() {
    return List.copyOf(duplicates);
  }

  /** Returns how many snapshots were ever created. */
  public synchronized int countCreated() {
    return names.size();
  }

  public synchronized List<Cut> listSnapshots() {
    List<Cut> list = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "snap-*")) {
      for (Path file : files) {
        list.add(read(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return list;
  }

  synchronized Optional<Cut> get(String id) {
    return listSnapshots().stream().filter(cut -> cut.id().equals(id)).findFirst();
  }

  synchronized Optional<Cut> findByName(String name) {
    return listSnapshots().stream().filter(cut -> cut.name().equals(name)).findFirst();
  }

  /** Creates a snapshot, also without a CSI call. */
  public synchronized Cut add(String name, String volume, long bytes, String parameters) {
    return add(name, volume, bytes, parameters, "");
  }

  synchronized Cut add(String name, String volume, long bytes, String parameters, String group) {
    if (!names.add(name)) {
      duplicates.add(name);
    }
    Cut cut =
        new Cut(
            "snap-" + UUID.randomUUID(),
            name,
            volume,
            bytes,
            Instant.now().getEpochSecond(),
            parameters,
            group);
    Properties properties = new Properties();
    properties.setProperty("name", name);
    properties.setProperty("volume", volume);
    properties.setProperty("bytes", Long.toString(bytes));
    properties.setProperty("seconds", Long.toString(cut.seconds()));
    properties.setProperty("parameters", parameters);
    properties.setProperty("group", group);
    try (OutputStream out = Files.newOutputStream(folder.resolve(cut.id()))) {
      properties.store(out, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cut;
  }

  synchronized void remove(String id) {
    try {
      if (id.startsWith("snap-")) {
        Files.deleteIfExists(folder.resolve(id));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized CreateSnapshotResponse create(CreateSnapshotRequest request, VolumeStore.Item volume)
      throws StatusException {
    Cut cut = findByName(request.getName()).orElse(null);
    if (cut == null) {
      String parameters = new TreeMap<>(request.getParametersMap()).toString();
      cut = add(request.getName(), volume.id(), volume.bytes(), parameters);
    } else if (!cut.volume().equals(volume.id())) {
      throw Status.ALREADY_EXISTS
          .withDescription(request.getName() + " belongs to another volume")
          .asException();
    }
    return CreateSnapshotResponse.newBuilder()
        .setSnapshot(
            message(cut).toBuilder()
                .addAllAccessibleTopology(
                    request.getAccessibilityRequirements().getPreferredList()))
        .build();
  }

  synchronized DeleteSnapshotResponse delete(DeleteSnapshotRequest request) {
    remove(request.getSnapshotId());
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  synchronized ListSnapshotsResponse list(ListSnapshotsRequest request) {
    ListSnapshotsResponse.Builder list = ListSnapshotsResponse.newBuilder();
    listSnapshots().stream()
        .filter(cut -> ignoresIds || cut.id().equals(request.getSnapshotId()))
        .map(this::message)
        .forEach(s -> list.addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(s)));
    return list.build();
  }

  Snapshot message(Cut cut) {
    return Snapshot.newBuilder()
        .setSnapshotId(cut.id())
        .setSourceVolumeId(cut.volume())
        .setSizeBytes(cut.bytes())
        .setCreationTime(Timestamp.newBuilder().setSeconds(cut.seconds()))
        .setReadyToUse(!slow)
        .setGroupSnapshotId(cut.group())
        .build();
  }

  private static Cut read(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Cut(
        file.getFileName().toString(),
        properties.getProperty("name"),
        properties.getProperty("volume"),
        Long.parseLong(properties.getProperty("bytes")),
        Long.parseLong(properties.getProperty("seconds")),
        properties.getProperty("parameters"),
        properties.getProperty("group"));
  }
}
