package dev.mooring.plugin.nfs;

import dev.mooring.spi.Provisioner.ClaimInfo;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.util.Optional;

/**
 * The parameter {@code pathPattern}: text with {@code ${.PVC.namespace}}, {@code ${.PVC.name}},
 * {@code ${.PVC.labels.KEY}} and {@code ${.PVC.annotations.KEY}} in it (spec/provisioner-lib.md 9).
 * Values are put in once and are not read again; one that is missing is refused rather than left
 * empty.
 */
record PathPattern(String text) {
  private static final String BEGIN = "${";
  private static final String CLAIM = ".PVC.";
  private static final String LABEL = "labels.";
  private static final String ANNOTATION = "annotations.";

  /** What is wrong with the pattern itself, whatever the claim. */
  Optional<String> problem() {
    try {
      expand(token -> {
        check(token);
        return "x";
      });
      return Optional.empty();
    } catch (PathRefused e) {
      return Optional.of(e.why());
    }
  }

  /** The path for a claim. */
  RelativePath resolve(ClaimInfo claim) throws PathRefused {
    return ExportNames.path(expand(token -> value(token, claim)));
  }

  private interface Values {
    String of(String token) throws PathRefused;
  }

  private String expand(Values values) throws PathRefused {
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (int next = text.indexOf(BEGIN); next >= 0; next = text.indexOf(BEGIN, at)) {
      int end = text.indexOf('}', next);
      if (end < 0) {
        throw new PathRefused("pathPattern \"" + text + "\" has a ${ without its }");
      }
      out.append(text, at, next).append(values.of(text.substring(next + BEGIN.length(), end)));
      at = end + 1;
    }
    return out.append(text.substring(at)).toString();
  }

  private void check(String token) throws PathRefused {
    String name = token.startsWith(CLAIM) ? token.substring(CLAIM.length()) : "";
    boolean known =
        name.equals("namespace")
            || name.equals("name")
            || isKeyed(name, LABEL)
            || isKeyed(name, ANNOTATION);
    if (!known) {
      throw new PathRefused(
          "pathPattern \""
              + text
              + "\" has ${"
              + token
              + "}: there are ${.PVC.namespace}, ${.PVC.name}, ${.PVC.labels.KEY} and ${.PVC.annotations.KEY}");
    }
  }

  private static boolean isKeyed(String name, String prefix) {
    return name.startsWith(prefix) && name.length() > prefix.length();
  }

  private String value(String token, ClaimInfo claim) throws PathRefused {
    check(token);
    String name = token.substring(CLAIM.length());
    if (name.equals("namespace")) {
      return claim.key().namespace();
    }
    if (name.equals("name")) {
      return claim.key().name();
    }
    String value =
        name.startsWith(LABEL)
            ? claim.labels().getOrDefault(name.substring(LABEL.length()), "")
            : claim.annotations().getOrDefault(name.substring(ANNOTATION.length()), "");
    if (value.isEmpty()) {
      throw new PathRefused(
          "pathPattern \""
              + text
              + "\" needs ${"
              + token
              + "}, which claim "
              + claim.key()
              + " does not have: add it to the claim");
    }
    return value;
  }
}
