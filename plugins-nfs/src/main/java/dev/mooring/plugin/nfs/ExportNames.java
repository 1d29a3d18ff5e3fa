package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;

/** Decides which paths of an export volumes may use: all except archives and the plugin's own. */
final class ExportNames {
  /** Prefix of archived directories. */
  static final String ARCHIVED = "archived-";

  private ExportNames() {}

  /** Reads a path. The message of a refusal contains text and reason. */
  static RelativePath path(String text) throws PathRefused {
    return notArchived(text, RelativePath.of(text));
  }

  /** Reads the path of a directory that may exist, as {@link #path} does. */
  static RelativePath existing(String text) throws PathRefused {
    return notArchived(text, RelativePath.existing(text));
  }

  private static RelativePath notArchived(String text, RelativePath path) throws PathRefused {
    String first = path.elements().getFirst();
    if (first.startsWith(ARCHIVED)) {
      throw PathRefused.of(text, "begins with \"" + first + "\", which is reserved for the plugin");
    }
    return path;
  }

  /** Returns the volume's name if it is a single path element. */
  static String volume(String name) throws PathRefused {
    path(name);
    return RelativePath.element(name);
  }
}
