package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/**
 * What can be done with a volume's directory. Helper pods have nothing of Mooring but this plugin's
 * jar: it uses the JDK and {@code spi.files} alone, which is in there too.
 */
enum DirectoryAction {
  MAKE,
  REMOVE;

  /** A pod is of any user. */
  private static final DirectoryTree.Access ANYBODYS = DirectoryTree.Access.of("rwxrwxrwx");

  /** As it stands on a helper's command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads a path for it: what is to be made is told apart more strictly than what is there. */
  RelativePath path(String text) throws PathRefused {
    return switch (this) {
      case MAKE -> RelativePath.of(text);
      case REMOVE -> RelativePath.existing(text);
    };
  }

  /** Does it. */
  void on(DirectoryTree tree, RelativePath below, String volume)
      throws IOException, Refused, InterruptedException {
    try {
      switch (this) {
        case MAKE -> tree.make(below, ANYBODYS, volume);
        case REMOVE -> tree.remove(below);
      }
    } catch (NotDirectoryException e) {
      throw new Refused(
          "\""
              + e.getFile()
              + "\" on the way to \""
              + below
              + "\" is in the way: it is no directory");
    } catch (InvalidPathException e) {
      throw new Refused("\"" + e.getInput() + "\" can be no directory here: " + e.getReason());
    }
  }
}
