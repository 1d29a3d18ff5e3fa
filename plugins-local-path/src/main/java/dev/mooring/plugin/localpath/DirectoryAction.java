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
  private static final DirectoryTree.Access ANYBODYS = DirectoryTree.Access.of("rwxrwxrwx");

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  RelativePath path(String text) throws PathRejectedException {
    return switch (this) {
      case MAKE -> RelativePath.of(text);
      case REMOVE -> RelativePath.existing(text);
    };
  }

  void on(DirectoryTree tree, RelativePath below, String volume)
      throws IOException, InvalidInputException, InterruptedException {
    try {
      switch (this) {
        case MAKE -> tree.make(below, ANYBODYS, volume);
        case REMOVE -> tree.remove(below);
      }
    } catch (NotDirectoryException e) {
      throw new InvalidInputException(
          "\"%s\" on the path to \"%s\" is no directory: remove it if it is not needed"
              .formatted(e.getFile(), below));
    } catch (InvalidPathException e) {
      throw new InvalidInputException(
          "\"" + e.getInput() + "\" cannot be a directory here: " + e.getReason());
    }
  }
}
