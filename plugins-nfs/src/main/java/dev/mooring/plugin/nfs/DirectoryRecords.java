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
    Entry left() {
      return new Entry(volume, path, namespace, onDelete, true);
    }
  }

  private final DirectoryTree tree;

  DirectoryRecords(DirectoryTree tree) {
    this.tree = tree;
  }

  Optional<Entry> of(String volume) throws IOException {
    Optional<String> text = AtomicFiles.read(tree.privateDirectory("volumes").resolve(volume));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Properties read = new Properties();
    read.load(new StringReader(text.get()));
    try {
      return Optional.of(
          new Entry(
              volume,
              ExportNames.existing(read.getProperty("path", "")),
              read.getProperty("namespace", ""),
              OnDelete.of(read.getProperty("onDelete", ""), ""),
              Boolean.parseBoolean(read.getProperty("retained", ""))));
    } catch (PathRejectedException | IllegalArgumentException e) {
      throw new IOException("the record of volume " + volume + " is damaged: " + e.getMessage(), e);
    }
  }

  Optional<String> owner(RelativePath path) throws IOException {
    return AtomicFiles.read(file(path));
  }

  void put(Entry entry) throws IOException {
    Properties written = new Properties();
    written.setProperty("path", entry.path().toString());
    written.setProperty("namespace", entry.namespace());
    written.setProperty("onDelete", entry.onDelete().word());
    written.setProperty("retained", Boolean.toString(entry.retained()));
    StringWriter text = new StringWriter();
    written.store(text, null);
    Path drafts = tree.privateDirectory("new");
    putPassages(entry.path());
    AtomicFiles.write(
        tree.privateDirectory("volumes").resolve(entry.volume()), text.toString(), drafts);
    AtomicFiles.write(file(entry.path()), entry.volume(), drafts);
  }

  /** Deletes the record of a volume. Keeps the path's file if another volume owns the path now. */
  void remove(Entry entry) throws IOException {
    if (owner(entry.path()).filter(entry.volume()::equals).isPresent()) {
      Files.delete(file(entry.path()));
    }
    Files.deleteIfExists(tree.privateDirectory("volumes").resolve(entry.volume()));
  }

  boolean isPassage(RelativePath path) throws IOException {
    return Files.exists(passages().resolve(hash(path)), LinkOption.NOFOLLOW_LINKS);
  }

  private void putPassages(RelativePath path) throws IOException {
    for (RelativePath above : path.ancestors()) {
      Path file = passages().resolve(hash(above));
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
  List<String> below(RelativePath path) throws IOException {
    if (!isPassage(path)) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    for (Entry entry : entries()) {
      if (entry.path().ancestors().contains(path)) {
        found.add(entry.volume());
      }
    }
    return found;
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(tree.privateDirectory("volumes"))) {
      for (Path file : files) {
        of(String.valueOf(file.getFileName())).ifPresent(entries::add);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  private Path passages() throws IOException {
    return tree.privateDirectory("passages");
  }

  private Path file(RelativePath path) throws IOException {
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
