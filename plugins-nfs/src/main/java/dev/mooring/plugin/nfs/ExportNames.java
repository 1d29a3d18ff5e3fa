package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;

/** Decides which paths of an export volumes may use: all except archives and the plugin's own. */
final class ExportNames {
  static final String ARCHIVED = "archived-";

  private ExportNames() {}

  static RelativePath parsePath(String text) throws PathRejectedException {
    return rejectArchived(text, RelativePath.of(text));
  }

  static RelativePath parseExistingPath(String text) throws PathRejectedException {
    return rejectArchived(text, RelativePath.existing(text));
  }

  private static RelativePath rejectArchived(String text, RelativePath path)
      throws PathRejectedException {
    String topElement = path.elements().getFirst();
    if (topElement.startsWith(ARCHIVED)) {
      throw PathRejectedException.of(
          text, "begins with \"" + topElement + "\", which is reserved for the plugin");
    }
    return path;
  }

  static String parseVolumeName(String name) throws PathRejectedException {
    parsePath(name);
    return RelativePath.element(name);
  }
}
