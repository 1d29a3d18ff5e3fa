package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.AtomicFiles;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;

/**
 * Which directory of an export is which volume's: a file per volume and one per path, kept in the
 * plugin's own directory, where no pod that mounts a volume can reach it. Written before a
 * directory is made, and taken away after it is gone. Whoever changes it holds the export's lock.
 */
final class DirectoryRecords {
  /**
   * A volume's directory.
   *
   * @param volume the volume's name
   * @param path where it is
   * @param namespace of the claim it was made for
   * @param onDelete what becomes of it
   * @param retained whether the volume is gone and has left it
   */
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

  /** What is known of a volume. */
  Optional<Entry> of(String volume) throws IOException {
    Optional<String> text = AtomicFiles.read(tree.own("volumes").resolve(volume));
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
    } catch (PathRefused | IllegalArgumentException e) {
      throw new IOException("the record of volume " + volume + " is damaged: " + e.getMessage(), e);
    }
  }

  /** Whose directory a path is. */
  Optional<String> owner(RelativePath path) throws IOException {
    return AtomicFiles.read(file(path));
  }

  /** Writes an entry down: the volume first, then the path. */
  void put(Entry entry) throws IOException {
    Properties written = new Properties();
    written.setProperty("path", entry.path().toString());
    written.setProperty("namespace", entry.namespace());
    written.setProperty("onDelete", entry.onDelete().word());
    written.setProperty("retained", Boolean.toString(entry.retained()));
    StringWriter text = new StringWriter();
    written.store(text, null);
    Path drafts = tree.own("new");
    AtomicFiles.write(tree.own("volumes").resolve(entry.volume()), text.toString(), drafts);
    AtomicFiles.write(file(entry.path()), entry.volume(), drafts);
  }

  /** Forgets a volume, and its path if that is still its own. */
  void remove(Entry entry) throws IOException {
    if (owner(entry.path()).filter(entry.volume()::equals).isPresent()) {
      Files.delete(file(entry.path()));
    }
    Files.deleteIfExists(tree.own("volumes").resolve(entry.volume()));
  }

  private Path file(RelativePath path) throws IOException {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(path.toString().getBytes(StandardCharsets.UTF_8));
      return tree.own("paths").resolve(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
