package dev.mooring.plugin.hostpath;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Removes trees, links in them as links. Whoever still writes into one cannot lead it elsewhere:
 * every step is taken from a directory that is open, not from a path.
 */
final class DirectoryRemoval {
  private DirectoryRemoval() {}

  static void remove(Path tree) throws IOException {
    Path parent = tree.getParent();
    if (parent == null) {
      throw new IOException(tree + " is no directory within another one");
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
      if (!(entries instanceof SecureDirectoryStream<Path> secure)) {
        throw new IOException("trees cannot be removed safely on this platform");
      }
      remove(secure, tree.getFileName());
    } catch (NoSuchFileException gone) {
      return;
    }
  }

  private static void remove(SecureDirectoryStream<Path> within, Path name) throws IOException {
    try {
      boolean directory =
          within
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes()
              .isDirectory();
      if (!directory) {
        within.deleteFile(name);
        return;
      }
      try (SecureDirectoryStream<Path> children =
          within.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        for (Path child : children) {
          remove(children, child.getFileName());
        }
      }
      within.deleteDirectory(name);
    } catch (NoSuchFileException gone) {
      return; // somebody else was faster
    }
  }
}
