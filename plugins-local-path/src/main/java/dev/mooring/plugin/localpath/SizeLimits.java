package dev.mooring.plugin.localpath;

import dev.mooring.model.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * Allowed size of a claim.
 *
 * @param least minimum, inclusive
 * @param most maximum, inclusive
 */
record Limits(Optional<Quantity> least, Optional<Quantity> most) {
  /** Name in {@code config.json} and of a class parameter. */
  static final String LEAST = "minSize";

  /** Name in {@code config.json} and of a class parameter. */
  static final String MOST = "maxSize";

  static final Limits NONE = new Limits(Optional.empty(), Optional.empty());

  /** @throws IllegalArgumentException if the minimum exceeds the maximum */
  Limits {
    if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
      throw new IllegalArgumentException(
          "%s \"%s\" is more than %s \"%s\"".formatted(LEAST, least.get(), MOST, most.get()));
    }
  }

  /** Reads the limits from a map by name; ignores other entries. */
  static Limits of(Map<String, String> written) throws Refused {
    try {
      return new Limits(size(LEAST, written), size(MOST, written));
    } catch (IllegalArgumentException e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Quantity> size(String name, Map<String, String> written) throws Refused {
    String text = written.getOrDefault(name, "");
    return text.isEmpty() ? Optional.empty() : Optional.of(amount(name, text));
  }

  /** Reads a size. The message of a refusal contains name and value. */
  static Quantity amount(String name, String text) throws Refused {
    Optional<Quantity> read = Quantity.parse(text).filter(q -> q.compareTo(Quantity.ZERO) > 0);
    if (read.isEmpty()) {
      throw new Refused(name + " \"" + text + "\" is not a size: use a value such as 5Gi");
    }
    return read.get();
  }

  /** Returns these limits, overridden by those that {@code other} sets. */
  Limits unless(Limits other) throws Refused {
    try {
      return new Limits(other.least.or(() -> least), other.most.or(() -> most));
    } catch (IllegalArgumentException e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
  }

  void check(Quantity asked) throws Refused {
    if (least.isPresent() && asked.compareTo(least.get()) < 0) {
      throw new Refused(
          "the claim requests %s, and %s is %s: request more".formatted(asked, LEAST, least.get()));
    }
    if (most.isPresent() && asked.compareTo(most.get()) > 0) {
      throw new Refused(
          "the claim requests %s, and %s is %s: request less".formatted(asked, MOST, most.get()));
    }
  }
}
