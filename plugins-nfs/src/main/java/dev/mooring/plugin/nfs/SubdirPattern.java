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

  static SubdirPattern of(String written) throws PathRejectedException {
    new PathPattern(written, SubdirSyntax.INSTANCE).check();
    String plain = withoutExtraSlashes(written);
    if (plain.isEmpty()) {
      throw new PathRejectedException(
          "pathPattern \"" + written + "\" names no directory below the export");
    }
    ExportNames.path(plain.replaceAll(PLACEHOLDER, "x"));
    return new SubdirPattern(new PathPattern(plain, SubdirSyntax.INSTANCE));
  }

  static String withoutExtraSlashes(String text) {
    return text.replaceAll("/+", "/").replaceAll("^/|/$", "");
  }

  Placement place(Request request) throws PathRejectedException {
    return new Placement(
        ExportNames.path(pattern.resolve(request)), fixedElements(), isNamespacesOwn());
  }

  // Returns the number of leading elements that a claim's owner cannot choose.
  private int fixedElements() {
    String text = pattern.text().replace(NAMESPACE, "x");
    int end = text.indexOf("${");
    String fixed = end < 0 ? text : text.substring(0, end);
    return (int) fixed.chars().filter(c -> c == '/').count();
  }

  /** Returns true if no claim of another namespace can get the same directory. */
  boolean isNamespacesOwn() {
    List<String> elements = List.of(pattern.text().split("/"));
    int namespace = elements.indexOf(NAMESPACE);
    return namespace >= 0
        && elements.subList(0, namespace).stream().noneMatch(e -> e.contains("${"))
        && !pattern.text().replace(NAMESPACE, "").replace(NAME, "").contains("${");
  }

  /**
   * Directory of a new volume.
   *
   * @param fixed number of leading path elements that the pattern fixes for the namespace
   * @param adoptable whether an existing directory cannot belong to another namespace
   */
  record Placement(RelativePath path, int fixed, boolean adoptable) {}
}
