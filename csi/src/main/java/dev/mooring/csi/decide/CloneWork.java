package dev.mooring.csi.decide;

import dev.mooring.model.ObjectKey;

/** Key of the controller that releases sources of copies. */
public sealed interface CloneWork {
  // A claim that waits for its copy.
  record Copy(ObjectKey claim) implements CloneWork {}

  // A source that may be released.
  record Source(CloneSource source) implements CloneWork {}

  // A check of all snapshots.
  record Sweep() implements CloneWork {}

  // Returns the namespace for fair queuing.
  default String namespace() {
    return switch (this) {
      case Copy(ObjectKey claim) -> claim.namespace();
      case Source(CloneSource source) -> source.key().namespace();
      case Sweep() -> "";
    };
  }
}
