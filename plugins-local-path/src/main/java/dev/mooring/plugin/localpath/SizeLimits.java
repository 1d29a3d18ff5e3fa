package dev.mooring.plugin.localpath;

import dev.mooring.model.Quantity;
import java.util.Map;
import java.util.Optional;

/**
 * Allowed size of a claim.
 *
 * @param min minimum, inclusive
 * @param max maximum, inclusive
 */
record SizeLimits(Optional<Quantity> min, Optional<Quantity> max) {
  static final String MIN_SIZE = "minSize";

  static final String MAX_SIZE = "maxSize";

  static final SizeLimits NONE = new SizeLimits(Optional.empty(), Optional.empty());

  SizeLimits {
    if (min.isPresent() && max.isPresent() && min.get().compareTo(max.get()) > 0) {
      throw new IllegalArgumentException(
          "%s \"%s\" is more than %s \"%s\"".formatted(MIN_SIZE, min.get(), MAX_SIZE, max.get()));
    }
  }

  static SizeLimits of(Map<String, String> values) throws InvalidInputException {
    try {
      return new SizeLimits(readSize(MIN_SIZE, values), readSize(MAX_SIZE, values));
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Quantity> readSize(String name, Map<String, String> values)
      throws InvalidInputException {
    String text = values.getOrDefault(name, "");
    return text.isEmpty() ? Optional.empty() : Optional.of(parseSize(name, text));
  }

  static Quantity parseSize(String name, String text) throws InvalidInputException {
    Optional<Quantity> size = Quantity.parse(text).filter(q -> q.compareTo(Quantity.ZERO) > 0);
    if (size.isEmpty()) {
      throw new InvalidInputException(
          name + " \"" + text + "\" is not a size: use a value such as 5Gi");
    }
    return size.get();
  }

  SizeLimits overriddenBy(SizeLimits other) throws InvalidInputException {
    try {
      return new SizeLimits(other.min.or(() -> min), other.max.or(() -> max));
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(String.valueOf(e.getMessage()));
    }
  }

  void check(Quantity requested) throws InvalidInputException {
    if (min.isPresent() && requested.compareTo(min.get()) < 0) {
      throw new InvalidInputException(
          "the claim requests %s, and %s is %s: request more"
              .formatted(requested, MIN_SIZE, min.get()));
    }
    if (max.isPresent() && requested.compareTo(max.get()) > 0) {
      throw new InvalidInputException(
          "the claim requests %s, and %s is %s: request less"
              .formatted(requested, MAX_SIZE, max.get()));
    }
  }
}
