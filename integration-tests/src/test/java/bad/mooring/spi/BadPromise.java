package bad.mooring.spi;

import java.util.Optional;

/** R11: hands out an ability that nobody can guard. */
public interface BadPromise {
  String name();

  default Optional<BadAbility> ability() {
    return Optional.empty();
  }
}
