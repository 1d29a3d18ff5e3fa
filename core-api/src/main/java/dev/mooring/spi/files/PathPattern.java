package dev.mooring.spi.files;

import dev.mooring.spi.Provisioner.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameter {@code pathPattern} of a class, which says where its volumes' directories are: a
 * text with placeholders for what is known of each, as {@code ${.PVC.namespace}/${.PVC.name}}. How
 * they are written is the plugin's choice.
 *
 * <p>Values are put in once and are not read again, and one that is missing is refused rather than
 * left empty: so nobody who makes a claim writes placeholders, or leaves a part of the path out.
 * Everything else may be in what comes out; it is for {@link RelativePath#of} to make a path of it.
 * Immutable, if its syntax is.
 *
 * @param text as it is written; nobody has looked at it yet
 * @param syntax how placeholders are written in it
 */
public record PathPattern(String text, Syntax syntax) {
  /** How placeholders are written, and what they stand for. */
  public interface Syntax {
    /** What one begins with; not empty. */
    String begin();

    /** What it ends with; not empty. */
    String end();

    /**
     * What it stands for; empty if there is no such placeholder.
     *
     * @param placeholder what is between beginning and end, as it is written
     */
    Optional<Property> property(String placeholder);

    /** Which placeholders there are, for the message to who has written another one. */
    String known();

    /** A placeholder as messages show it. */
    default String shown(String placeholder) {
      return begin() + placeholder + end();
    }
  }

  /** Something that is known of a volume that is to be made, or not. */
  @FunctionalInterface
  public interface Property {
    /** Its value; null or "" if the request does not have it. */
    @Nullable String of(Request request);
  }

  private interface Values {
    String of(String placeholder) throws PathRefused;
  }

  /**
   * Looks at the pattern itself, whatever the claim.
   *
   * @throws PathRefused if a placeholder has no end, or is not known; the message names the pattern
   *     and what there is
   */
  public void check() throws PathRefused {
    expand(placeholder -> {
      property(placeholder);
      return "";
    });
  }

  /**
   * The text for a volume.
   *
   * @throws PathRefused as {@link #check} does, or if the request lacks a value; the message names
   *     the pattern, the placeholder and the claim
   */
  public String resolve(Request request) throws PathRefused {
    return expand(placeholder -> {
      String value = property(placeholder).of(request);
      if (value == null || value.isEmpty()) {
        throw refused(
            "needs "
                + syntax.shown(placeholder)
                + ", which claim "
                + request.claim().key()
                + " does not have: add it to the claim");
      }
      return value;
    });
  }

  private String expand(Values values) throws PathRefused {
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

  private Property property(String placeholder) throws PathRefused {
    Optional<Property> property = syntax.property(placeholder);
    if (property.isEmpty()) {
      throw refused("has " + syntax.shown(placeholder) + ": there are " + syntax.known());
    }
    return property.get();
  }

  private PathRefused refused(String why) {
    return new PathRefused("pathPattern \"" + text + "\" " + why);
  }
}
