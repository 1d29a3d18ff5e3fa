package bad.mooring.spi;

import java.util.Optional;

/** R11: returns a capability that cannot be guarded. */
public interface BadPromise {
  String name();

  default Optional<BadAbility> ability() {
    return Optional.empty();
  }
}
