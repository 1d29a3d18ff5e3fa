package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** An export and where it is mounted. Thread-safe. */
final class Export {
  private final String server;
  private final String share;
  private final Path mount;
  private final boolean mustBeMounted;
  private final DirectoryTree tree;
  private final DirectoryRecords records;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Looks at nothing yet.
   *
   * @param share the exported path, absolute and without a slash at its end, "" for {@code /}
   * @param mustBeMounted whether {@code mount} must be a file system of type nfs
   */
  Export(String server, String share, Path mount, boolean mustBeMounted) {
    this.server = server;
    this.share = share;
    this.mount = mount;
    this.mustBeMounted = mustBeMounted;
    this.tree = DirectoryTree.withOwn(mount);
    this.records = new DirectoryRecords(tree);
  }

  String server() {
    return server;
  }

  /** The exported path as it is configured. */
  String share() {
    return share.isEmpty() ? "/" : share;
  }

  DirectoryTree tree() {
    return tree;
  }

  DirectoryRecords records() {
    return records;
  }

  /** Held while the records is changed. */
  ReentrantLock lock() {
    return lock;
  }

  /** What a volume's path on the server is. */
  String onServer(RelativePath path) {
    return share + "/" + path;
  }

  /** Whether a path on the server may be below this one. */
  boolean holds(String otherServer, String path) {
    return server.equals(otherServer) && path.startsWith(share + "/");
  }

  /** Whether another export is a directory below this one. */
  boolean encloses(Export other) {
    return holds(other.server, other.share);
  }

  /** A path on the server, seen from here. */
  RelativePath relative(String path) throws PathRefused {
    return ExportNames.existing(path.substring(share.length() + 1));
  }

  /** Why nothing can be done here at this moment; empty if all is well. */
  Optional<String> problem() {
    try {
      if (!Files.isDirectory(mount)) {
        return Optional.of(mount + " is no directory: mount " + this + " there");
      }
      String type = Files.getFileStore(mount).type();
      return mustBeMounted && !type.startsWith("nfs")
          ? Optional.of(
              mount
                  + " is on a file system of type "
                  + type
                  + ": mount "
                  + this
                  + " there, or say --plugin-setting nfs-require-mount=false")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of(mount + " cannot be looked at: " + e);
    }
  }

  @Override
  public String toString() {
    return server + ":" + share();
  }
}
