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
    String knownPlaceholders();

    /** Returns a placeholder as messages show it. */
    default String format(String placeholder) {
      return begin() + placeholder + end();
    }
  }

  /** Property of a volume to provision. */
  @FunctionalInterface
  public interface Property {
    /** Returns the value; null or "" if the request does not have the property. */
    @Nullable String valueIn(Request request);
  }

  private interface PlaceholderValues {
    String valueOf(String placeholder) throws PathRejectedException;
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
      String value = property(placeholder).valueIn(request);
      if (value == null || value.isEmpty()) {
        throw rejection(
            "needs %s, which claim %s does not have: add it to the claim"
                .formatted(syntax.format(placeholder), request.claim().key()));
      }
      return value;
    });
  }

  private String expand(PlaceholderValues values) throws PathRejectedException {
    String prefix = syntax.begin();
    String suffix = syntax.end();
    StringBuilder result = new StringBuilder();
    int position = 0;
    for (int prefixIndex = text.indexOf(prefix);
        prefixIndex >= 0;
        prefixIndex = text.indexOf(prefix, position)) {
      int start = prefixIndex + prefix.length();
      int suffixIndex = text.indexOf(suffix, start);
      if (suffixIndex < 0) {
        throw rejection("has a " + prefix + " without its " + suffix);
      }
      result
          .append(text, position, prefixIndex)
          .append(values.valueOf(text.substring(start, suffixIndex)));
      position = suffixIndex + suffix.length();
    }
    return result.append(text.substring(position)).toString();
  }

  private Property property(String placeholder) throws PathRejectedException {
    Optional<Property> property = syntax.property(placeholder);
    if (property.isEmpty()) {
      throw rejection(
          "has the unknown placeholder %s; known placeholders: %s"
              .formatted(syntax.format(placeholder), syntax.knownPlaceholders()));
    }
    return property.get();
  }

  private PathRejectedException rejection(String problem) {
    return new PathRejectedException("pathPattern \"" + text + "\" " + problem);
  }
}
