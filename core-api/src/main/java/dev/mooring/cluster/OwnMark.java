package dev.mooring.cluster;

import dev.mooring.model.Kind;

/**
 * What Mooring writes to objects under a name of its own: nobody else reads it or takes it off.
 * What it writes under Kubernetes' names is none: others go on using that. Whoever writes one
 * declares it, and {@code uninstall} knows what becomes of it. Conditions of claims need not be
 * declared: it takes off all whose types begin as ours do.
 *
 * @param kind the objects' kind
 * @param place where it stands on them
 * @param text its name, which begins with {@link #PREFIX}
 * @param meaning what it is for, as a clause
 */
public record OwnMark(Kind<?> kind, Place place, String text, String meaning) {
  /** What the names of all of them begin with; conditions of such a type are ours, too. */
  public static final String PREFIX = "mooring.dev/";

  /** Where it stands on an object. */
  public enum Place {
    FINALIZER("finalizer"),
    ANNOTATION("annotation"),
    LABEL("label");

    private final String text;

    Place(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if it is not one of ours
   */
  public OwnMark {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException(text + " does not begin with " + PREFIX);
    }
  }

  /** A finalizer. */
  public static OwnMark finalizer(Kind<?> kind, String text, String meaning) {
    return new OwnMark(kind, Place.FINALIZER, text, meaning);
  }

  /** An annotation. */
  public static OwnMark annotation(Kind<?> kind, String text, String meaning) {
    return new OwnMark(kind, Place.ANNOTATION, text, meaning);
  }

  /** A label. */
  public static OwnMark label(Kind<?> kind, String text, String meaning) {
    return new OwnMark(kind, Place.LABEL, text, meaning);
  }
}
