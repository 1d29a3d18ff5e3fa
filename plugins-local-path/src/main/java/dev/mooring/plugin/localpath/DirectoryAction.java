package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/**
 * Action on a volume's directory. Helper pods have no other code than this plugin's jar, so this
 * type uses only the JDK and {@code spi.files}, which the jar contains.
 */
enum DirectoryAction {
  MAKE,
  REMOVE;

  // pods of any user write to the volume
  private static final DirectoryTree.Access WORLD_WRITABLE = DirectoryTree.Access.of("rwxrwxrwx");

  String argument() {
    return name().toLowerCase(Locale.ROOT);
  }

  RelativePath parsePath(String text) throws PathRejectedException {
    return switch (this) {
      case MAKE -> RelativePath.of(text);
      case REMOVE -> RelativePath.existing(text);
    };
  }

  void run(DirectoryTree tree, RelativePath path, String volume)
      throws IOException, InvalidInputException, InterruptedException {
    try {
      switch (this) {
        case MAKE -> tree.make(path, WORLD_WRITABLE, volume);
        case REMOVE -> tree.remove(path);
      }
    } catch (NotDirectoryException e) {
      throw new InvalidInputException(
          "\"%s\" on the path to \"%s\" is no directory: remove it if it is not needed"
              .formatted(e.getFile(), path));
    } catch (InvalidPathException e) {
      throw new InvalidInputException(
          "\"" + e.getInput() + "\" cannot be a directory here: " + e.getReason());
    }
  }
}
