package dev.mooring.spi.files;

import dev.mooring.spi.Provisioner.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Value of a StorageClass's parameter {@code pathPattern}, which determines the directories of its
 * volumes. The text contains placeholders for properties of a volume, for example {@code
 * ${.PVC.namespace}/${.PVC.name}}; the plugin defines their syntax.
 *
 * <p>Each value is inserted once and not expanded again, and a missing value is an error, not "".
 * Therefore the author of a claim can neither inject placeholders nor remove a part of the path.
 * The result may contain anything else; {@link RelativePath#of} validates it. Immutable if the
 * syntax is.
 *
 * @param text the parameter's value, not yet validated
 * @param syntax syntax of placeholders
 */
public record PathPattern(String text, Syntax syntax) {
  /** Syntax and meaning of placeholders. */
  public interface Syntax {
    /** Returns the start of a placeholder; not empty. */
    String begin();

    /** Returns the end of a placeholder; not empty. */
    String end();

    /**
     * Returns the property that a placeholder represents; empty if the placeholder is unknown.
     *
     * @param placeholder text between begin and end, unchanged
     */
    Optional<Property> property(String placeholder);

    /** Returns all known placeholders, for the error message about an unknown one. */
    String known();

    /** Returns a placeholder as messages show it. */
    default String shown(String placeholder) {
      return begin() + placeholder + end();
    }
  }

  /** Property of a volume to provision. */
  @FunctionalInterface
  public interface Property {
    /** Returns the value; null or "" if the request does not have the property. */
    @Nullable String of(Request request);
  }

  private interface Values {
    String of(String placeholder) throws PathRejectedException;
  }

  /**
   * Validates the pattern independently of a claim.
   *
   * @throws PathRejectedException if a placeholder has no end or is unknown; the message names the
   *     pattern and the known placeholders
   */
  public void check() throws PathRejectedException {
    expand(placeholder -> {
      property(placeholder);
      return "";
    });
  }

  /**
   * Returns the text for a volume.
   *
   * @throws PathRejectedException as {@link #check} does, or if the request lacks a value; the
   *     message names the pattern, the placeholder and the claim
   */
  public String resolve(Request request) throws PathRejectedException {
    return expand(placeholder -> {
      String value = property(placeholder).of(request);
      if (value == null || value.isEmpty()) {
        throw refused(
            "needs %s, which claim %s does not have: add it to the claim"
                .formatted(syntax.shown(placeholder), request.claim().key()));
      }
      return value;
    });
  }

  private String expand(Values values) throws PathRejectedException {
    String begin = syntax.begin();
    String end = syntax.end();
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (int next = text.indexOf(begin); next >= 0; next = text.indexOf(begin, at)) {
      int from = next + begin.length();
      int to = text.indexOf(end, from);
      if (to < 0) {
        throw refused("has a " + begin + " without its " + end);
      }
      out.append(text, at, next).append(values.of(text.substring(from, to)));
      at = to + end.length();
    }
    return out.append(text.substring(at)).toString();
  }

  private Property property(String placeholder) throws PathRejectedException {
    Optional<Property> property = syntax.property(placeholder);
    if (property.isEmpty()) {
      throw refused(
          "has the unknown placeholder %s; known placeholders: %s"
              .formatted(syntax.shown(placeholder), syntax.known()));
    }
    return property.get();
  }

  private PathRejectedException refused(String why) {
    return new PathRejectedException("pathPattern \"" + text + "\" " + why);
  }
}
