package dev.mooring.plugin.localpath;

import dev.mooring.model.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * How much a claim may ask for.
 *
 * @param least at least this
 * @param most at most this
 */
record Limits(Optional<Quantity> least, Optional<Quantity> most) {
  /** In {@code config.json} and in classes. */
  static final String LEAST = "minSize";

  /** In {@code config.json} and in classes. */
  static final String MOST = "maxSize";

  /** Nothing is said. */
  static final Limits NONE = new Limits(Optional.empty(), Optional.empty());

  /** If the least is more than the most. */
  Limits {
    if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
      throw new IllegalArgumentException(
          "%s \"%s\" is more than %s \"%s\"".formatted(LEAST, least.get(), MOST, most.get()));
    }
  }

  /** What those say that are named, by their names. Others are passed over. */
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

  /** Reads an amount. The message of a refusal names both. */
  static Quantity amount(String name, String text) throws Refused {
    Optional<Quantity> read = Quantity.parse(text).filter(q -> q.compareTo(Quantity.ZERO) > 0);
    if (read.isEmpty()) {
      throw new Refused(name + " \"" + text + "\" is no size: name one as 5Gi");
    }
    return read.get();
  }

  /** These, where others do not say otherwise. */
  Limits unless(Limits other) throws Refused {
    try {
      return new Limits(other.least.or(() -> least), other.most.or(() -> most));
    } catch (IllegalArgumentException e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
  }

  /** Refuses a size that is not allowed. */
  void check(Quantity asked) throws Refused {
    if (least.isPresent() && asked.compareTo(least.get()) < 0) {
      throw new Refused(
          "%s is asked for, and %s is %s: ask for more".formatted(asked, LEAST, least.get()));
    }
    if (most.isPresent() && asked.compareTo(most.get()) > 0) {
      throw new Refused(
          "%s is asked for, and %s is %s: ask for less".formatted(asked, MOST, most.get()));
    }
  }
}
