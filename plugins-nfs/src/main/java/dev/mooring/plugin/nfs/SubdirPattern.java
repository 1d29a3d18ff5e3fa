package dev.mooring.plugin.nfs;

import dev.mooring.spi.Provisioner.Request;
import dev.mooring.spi.files.PathPattern;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.util.List;

/**
 * Parameter {@code pathPattern}. Ignores repeated slashes and slashes at both ends, as
 * nfs-subdir-external-provisioner does.
 *
 * @param pattern the pattern without these slashes
 */
record SubdirPattern(PathPattern pattern) {
  private static final String NAMESPACE = "${.PVC.namespace}";
  private static final String NAME = "${.PVC.name}";
  private static final String PLACEHOLDER = "\\$\\{[^}]*}";

  static SubdirPattern of(String text) throws PathRejectedException {
    new PathPattern(text, SubdirSyntax.INSTANCE).check();
    String trimmed = withoutExtraSlashes(text);
    if (trimmed.isEmpty()) {
      throw new PathRejectedException(
          "pathPattern \"" + text + "\" names no directory below the export");
    }
    ExportNames.parsePath(trimmed.replaceAll(PLACEHOLDER, "x"));
    return new SubdirPattern(new PathPattern(trimmed, SubdirSyntax.INSTANCE));
  }

  static String withoutExtraSlashes(String text) {
    return text.replaceAll("/+", "/").replaceAll("^/|/$", "");
  }

  Placement resolve(Request request) throws PathRejectedException {
    return new Placement(
        ExportNames.parsePath(pattern.resolve(request)),
        countFixedElements(),
        isExclusiveToNamespace());
  }

  // Returns the number of leading elements that a claim's owner cannot choose.
  private int countFixedElements() {
    String text = pattern.text().replace(NAMESPACE, "x");
    int placeholderIndex = text.indexOf("${");
    String fixedPrefix = placeholderIndex < 0 ? text : text.substring(0, placeholderIndex);
    return (int) fixedPrefix.chars().filter(c -> c == '/').count();
  }

  /** Returns true if no claim of another namespace can get the same directory. */
  boolean isExclusiveToNamespace() {
    List<String> elements = List.of(pattern.text().split("/"));
    int namespaceIndex = elements.indexOf(NAMESPACE);
    return namespaceIndex >= 0
        && elements.subList(0, namespaceIndex).stream().noneMatch(e -> e.contains("${"))
        && !pattern.text().replace(NAMESPACE, "").replace(NAME, "").contains("${");
  }

  /**
   * Directory of a new volume.
   *
   * @param fixedElements number of leading path elements that the pattern fixes for the namespace
   * @param isAdoptable whether an existing directory cannot belong to another namespace
   */
  record Placement(RelativePath path, int fixedElements, boolean isAdoptable) {}
}
