package dev.mooring.plugin.nfs;

import dev.mooring.spi.Provisioner.Request;
import dev.mooring.spi.files.PathPattern;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.util.List;

/**
 * The parameter {@code pathPattern}. Slashes at its ends and repeated slashes do not count, as in
 * nfs-subdir-external-provisioner.
 *
 * @param pattern without these slashes
 */
record SubdirPattern(PathPattern pattern) {
  private static final String NAMESPACE = "${.PVC.namespace}";
  private static final String NAME = "${.PVC.name}";
  private static final String PLACEHOLDER = "\\$\\{[^}]*}";

  /**
   * Reads one.
   *
   * @throws PathRefused if no claim can get a directory by it; the message names the pattern
   */
  static SubdirPattern of(String written) throws PathRefused {
    new PathPattern(written, SubdirSyntax.INSTANCE).check();
    String plain = withoutExtraSlashes(written);
    if (plain.isEmpty()) {
      throw new PathRefused("pathPattern \"" + written + "\" names no directory below the export");
    }
    ExportNames.path(plain.replaceAll(PLACEHOLDER, "x"));
    return new SubdirPattern(new PathPattern(plain, SubdirSyntax.INSTANCE));
  }

  /** Keeps single slashes between elements only. */
  static String withoutExtraSlashes(String text) {
    return text.replaceAll("/+", "/").replaceAll("^/|/$", "");
  }

  /** Resolves the pattern for a claim. */
  Placement place(Request request) throws PathRefused {
    return new Placement(
        ExportNames.path(pattern.resolve(request)), fixedElements(), isNamespacesOwn());
  }

  /** Counts the leading elements that a claim's owner cannot choose within the namespace. */
  private int fixedElements() {
    String text = pattern.text().replace(NAMESPACE, "x");
    int end = text.indexOf("${");
    String fixed = end < 0 ? text : text.substring(0, end);
    return (int) fixed.chars().filter(c -> c == '/').count();
  }

  /** Claims of other namespaces, and labels or annotations, cannot lead to the same directory. */
  boolean isNamespacesOwn() {
    List<String> elements = List.of(pattern.text().split("/"));
    int namespace = elements.indexOf(NAMESPACE);
    return namespace >= 0
        && elements.subList(0, namespace).stream().noneMatch(e -> e.contains("${"))
        && !pattern.text().replace(NAMESPACE, "").replace(NAME, "").contains("${");
  }

  /**
   * Where a new volume's directory is to be.
   *
   * @param path the directory
   * @param fixed how many of the path's leading elements the pattern fixes for the namespace
   * @param adoptable whether an existing directory can be no other namespace's
   */
  record Placement(RelativePath path, int fixed, boolean adoptable) {}
}
