package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.AtomicFiles;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * Records that map volumes to directories of an export: one file per volume and one per path. They
 * lie in the plugin's own directory, which no pod mounts. The plugin writes a record before it
 * creates a directory and deletes it afterwards. A file per parent directory of volumes stays.
 * Writers hold the export's lock.
 */
final class DirectoryRecords {
  record Entry(
      String volume, RelativePath path, String namespace, OnDelete onDelete, boolean retained) {
    Entry withRetained(boolean isRetained) {
      return new Entry(volume, path, namespace, onDelete, isRetained);
    }
  }

  private final DirectoryTree tree;
  private final Path folder;

  DirectoryRecords(DirectoryTree tree, Path mountPoint) {
    this.tree = tree;
    this.folder = mountPoint.resolve(".mooring");
  }

  boolean isFolderMissing() {
    return Files.notExists(folder, LinkOption.NOFOLLOW_LINKS);
  }

  Optional<Entry> findEntry(String volume) throws IOException {
    Optional<String> text = readRecord("volumes", volume);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    properties.load(new StringReader(text.get()));
    try {
      return Optional.of(
          new Entry(
              volume,
              ExportNames.parseExistingPath(properties.getProperty("path", "")),
              properties.getProperty("namespace", ""),
              OnDelete.of(properties.getProperty("onDelete", ""), ""),
              Boolean.parseBoolean(properties.getProperty("retained", ""))));
    } catch (PathRejectedException | IllegalArgumentException e) {
      throw new IOException("the record of volume " + volume + " is damaged: " + e.getMessage(), e);
    }
  }

  // Does not create the folder, which would make a wrong export look like the right one.
  private Optional<String> readRecord(String directory, String name) throws IOException {
    return isFolderMissing()
        ? Optional.empty()
        : AtomicFiles.read(tree.privateDirectory(directory).resolve(name));
  }

  Optional<String> findOwner(RelativePath path) throws IOException {
    return readRecord("paths", hash(path));
  }

  void put(Entry entry) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("path", entry.path().toString());
    properties.setProperty("namespace", entry.namespace());
    properties.setProperty("onDelete", entry.onDelete().parameterValue());
    properties.setProperty("retained", Boolean.toString(entry.retained()));
    StringWriter text = new StringWriter();
    properties.store(text, null);
    Path drafts = tree.privateDirectory("new");
    recordParents(entry.path());
    AtomicFiles.write(
        tree.privateDirectory("volumes").resolve(entry.volume()), text.toString(), drafts);
    AtomicFiles.write(pathRecord(entry.path()), entry.volume(), drafts);
  }

  /** Deletes the record of a volume. Keeps the path's file if another volume owns the path now. */
  void remove(Entry entry) throws IOException {
    if (findOwner(entry.path()).filter(entry.volume()::equals).isPresent()) {
      Files.delete(pathRecord(entry.path()));
    }
    Files.deleteIfExists(tree.privateDirectory("volumes").resolve(entry.volume()));
  }

  boolean isRecordedParent(RelativePath path) throws IOException {
    return !isFolderMissing()
        && Files.exists(parentRecords().resolve(hash(path)), LinkOption.NOFOLLOW_LINKS);
  }

  private void recordParents(RelativePath path) throws IOException {
    for (RelativePath parent : path.ancestors()) {
      Path file = parentRecords().resolve(hash(parent));
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        AtomicFiles.write(file, "", tree.privateDirectory("new"));
      }
    }
  }

  /**
   * Returns the volumes with directories below a path, including retained ones.
   *
   * @throws IOException also if a record is damaged, because its volume may lie below the path
   */
  List<String> findVolumesBelow(RelativePath path) throws IOException {
    if (!isRecordedParent(path)) {
      return List.of();
    }
    List<String> volumes = new ArrayList<>();
    for (Entry entry : readEntries()) {
      if (entry.path().ancestors().contains(path)) {
        volumes.add(entry.volume());
      }
    }
    return volumes;
  }

  private List<Entry> readEntries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(tree.privateDirectory("volumes"))) {
      for (Path file : files) {
        findEntry(String.valueOf(file.getFileName())).ifPresent(entries::add);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  private Path parentRecords() throws IOException {
    return tree.privateDirectory("passages");
  }

  private Path pathRecord(RelativePath path) throws IOException {
    return tree.privateDirectory("paths").resolve(hash(path));
  }

  private static String hash(RelativePath path) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(path.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
