package dev.mooring.plugin.localpath;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/**
 * What can be done with a volume's directory. Helper pods have nothing of Mooring but this plugin's
 * jar: it uses the JDK alone.
 */
enum DirectoryAction {
  MAKE,
  REMOVE;

  /** As it stands on a helper's command line. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Does it. */
  void on(DirectoryTree tree, RelativePath below, String volume)
      throws IOException, Refused, InterruptedException {
    try {
      switch (this) {
        case MAKE -> tree.make(below, volume);
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
    } catch (UncheckedIOException e) {
      throw new IOException(e);
    }
  }
}
