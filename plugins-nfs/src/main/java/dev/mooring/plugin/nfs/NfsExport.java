package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** NFS export and its mount point. Thread-safe. */
final class NfsExport {
  private final String server;
  private final String share;
  private final Path mountPoint;
  private final boolean mustBeMounted;
  private final DirectoryTree tree;
  private final DirectoryRecords records;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Accesses no file yet.
   *
   * @param share exported path, absolute, without a trailing slash; "" for {@code /}
   * @param mustBeMounted whether {@code mountPoint} must be a file system of type nfs
   */
  NfsExport(String server, String share, Path mountPoint, boolean mustBeMounted) {
    this.server = server;
    this.share = share;
    this.mountPoint = mountPoint;
    this.mustBeMounted = mustBeMounted;
    this.tree = DirectoryTree.withPrivateDirectory(mountPoint);
    this.records = new DirectoryRecords(tree, mountPoint);
  }

  String server() {
    return server;
  }

  String share() {
    return share.isEmpty() ? "/" : share;
  }

  DirectoryTree tree() {
    return tree;
  }

  DirectoryRecords records() {
    return records;
  }

  ReentrantLock lock() {
    return lock;
  }

  String pathOnServer(RelativePath path) {
    return share + "/" + path;
  }

  boolean contains(String otherServer, String path) {
    return server.equals(otherServer) && path.startsWith(share + "/");
  }

  boolean containsExport(NfsExport other) {
    return contains(other.server, other.share);
  }

  RelativePath toRelativePath(String path) throws PathRejectedException {
    return ExportNames.parseExistingPath(path.substring(share.length() + 1));
  }

  // Removes an empty directory, so that repeated rollbacks leave one archive.
  boolean makeFree(RelativePath topLevelPath) throws IOException {
    Path directory = mountPoint.resolve(topLevelPath.name());
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return !tree.exists(topLevelPath);
    }
    try {
      Files.delete(directory);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  Optional<String> findProblem() {
    try {
      if (!Files.isDirectory(mountPoint)) {
        return Optional.of(mountPoint + " is not a directory: mount " + this + " there");
      }
      String type = Files.getFileStore(mountPoint).type();
      return mustBeMounted && !type.startsWith("nfs")
          ? Optional.of(
              "%s is on a file system of type %s: mount %s there, or set --plugin-setting nfs-require-mount=false"
                  .formatted(mountPoint, type, this))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of(mountPoint + " cannot be read: " + e);
    }
  }

  String describeMissingRecords() {
    return "%s has no directory .mooring, which contains the records of this plugin's volumes: check that %s exports the right directory"
        .formatted(mountPoint, this);
  }

  // Creates the records' directory if it is absent.
  Optional<String> prepareRecords() {
    try {
      tree.privateDirectory("volumes");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("the records of " + this + " cannot be used: " + e);
    }
  }

  @Override
  public String toString() {
    return server + ":" + share();
  }
}
