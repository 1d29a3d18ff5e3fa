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
record SizeLimits(Optional<Quantity> least, Optional<Quantity> most) {
  static final String LEAST = "minSize";

  static final String MOST = "maxSize";

  static final SizeLimits NONE = new SizeLimits(Optional.empty(), Optional.empty());

  SizeLimits {
    if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
      throw new IllegalArgumentException(
          "%s \"%s\" is more than %s \"%s\"".formatted(LEAST, least.get(), MOST, most.get()));
    }
  }

  static SizeLimits of(Map<String, String> written) throws InvalidInputException {
    try {
      return new SizeLimits(size(LEAST, written), size(MOST, written));
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Quantity> size(String name, Map<String, String> written)
      throws InvalidInputException {
    String text = written.getOrDefault(name, "");
    return text.isEmpty() ? Optional.empty() : Optional.of(amount(name, text));
  }

  static Quantity amount(String name, String text) throws InvalidInputException {
    Optional<Quantity> read = Quantity.parse(text).filter(q -> q.compareTo(Quantity.ZERO) > 0);
    if (read.isEmpty()) {
      throw new InvalidInputException(
          name + " \"" + text + "\" is not a size: use a value such as 5Gi");
    }
    return read.get();
  }

  SizeLimits unless(SizeLimits other) throws InvalidInputException {
    try {
      return new SizeLimits(other.least.or(() -> least), other.most.or(() -> most));
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()));
    }
  }

  void check(Quantity asked) throws InvalidInputException {
    if (least.isPresent() && asked.compareTo(least.get()) < 0) {
      throw new InvalidInputException(
          "the claim requests %s, and %s is %s: request more".formatted(asked, LEAST, least.get()));
    }
    if (most.isPresent() && asked.compareTo(most.get()) > 0) {
      throw new InvalidInputException(
          "the claim requests %s, and %s is %s: request less".formatted(asked, MOST, most.get()));
    }
  }
}
