package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;

/** Decides which paths of an export volumes may use: all except archives and the plugin's own. */
final class ExportNames {
  static final String ARCHIVED = "archived-";

  private ExportNames() {}

  static RelativePath path(String text) throws PathRejectedException {
    return notArchived(text, RelativePath.of(text));
  }

  static RelativePath existing(String text) throws PathRejectedException {
    return notArchived(text, RelativePath.existing(text));
  }

  private static RelativePath notArchived(String text, RelativePath path)
      throws PathRejectedException {
    String first = path.elements().getFirst();
    if (first.startsWith(ARCHIVED)) {
      throw PathRejectedException.of(
          text, "begins with \"" + first + "\", which is reserved for the plugin");
    }
    return path;
  }

  static String volume(String name) throws PathRejectedException {
    path(name);
    return RelativePath.element(name);
  }
}
