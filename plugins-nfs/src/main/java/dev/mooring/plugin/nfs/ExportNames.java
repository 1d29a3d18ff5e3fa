package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;

/** Which paths below an export volumes may have: all but those of archives. */
final class ExportNames {
  /** What archived directories begin with. */
  static final String ARCHIVED = "archived-";

  private ExportNames() {}

  /** Reads a path. The message of a refusal names the text and what is wrong with it. */
  static RelativePath path(String text) throws PathRefused {
    return notArchived(text, RelativePath.of(text));
  }

  /** Reads the path of a directory that may be there already, as {@link #path} does. */
  static RelativePath existing(String text) throws PathRefused {
    return notArchived(text, RelativePath.existing(text));
  }

  private static RelativePath notArchived(String text, RelativePath path) throws PathRefused {
    String first = path.elements().getFirst();
    if (first.startsWith(ARCHIVED)) {
      throw PathRefused.of(text, "begins with \"" + first + "\", which is the plugin's own");
    }
    return path;
  }

  /** A volume's name, as it is: one element and nothing else. */
  static String volume(String name) throws PathRefused {
    path(name);
    return RelativePath.element(name);
  }
}
