package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.AtomicFiles;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRefused;
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
 * Which directory of an export is which volume's: a file per volume and one per path, kept in the
 * plugin's own directory, where no pod that mounts a volume can reach it. Written before a
 * directory is made, and taken away after it is gone. A file per directory that leads to volumes
 * stays. Writers hold the export's lock.
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

  private static final String COMPLETE = "complete";

  private final DirectoryTree tree;
  private boolean complete; // guarded by the export's lock

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
    putPassages(entry.path());
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

  /** Whether the directory leads to volumes and was made for that. */
  boolean isPassage(RelativePath path) throws IOException {
    return Files.exists(passages().resolve(hash(path)), LinkOption.NOFOLLOW_LINKS);
  }

  /** Records that the directories above a path lead to it. */
  private void putPassages(RelativePath path) throws IOException {
    for (RelativePath above : path.ancestors()) {
      Path file = passages().resolve(hash(above));
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        AtomicFiles.write(file, "", tree.own("new"));
      }
    }
  }

  /**
   * The volumes whose directories lie below a path, those that were left included.
   *
   * @throws IOException also if a record is damaged: its volume may be one of them
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
    try (DirectoryStream<Path> files = Files.newDirectoryStream(tree.own("volumes"))) {
      for (Path file : files) {
        of(String.valueOf(file.getFileName())).ifPresent(entries::add);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  /** The folder of passages. Earlier versions kept none: theirs follow from the volumes. */
  private Path passages() throws IOException {
    Path folder = tree.own("passages");
    if (!complete) {
      if (!Files.exists(folder.resolve(COMPLETE), LinkOption.NOFOLLOW_LINKS)) {
        for (Entry entry : entries()) {
          for (RelativePath above : entry.path().ancestors()) {
            AtomicFiles.write(folder.resolve(hash(above)), "", tree.own("new"));
          }
        }
        AtomicFiles.write(folder.resolve(COMPLETE), "", tree.own("new"));
      }
      complete = true;
    }
    return folder;
  }

  private Path file(RelativePath path) throws IOException {
    return tree.own("paths").resolve(hash(path));
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
