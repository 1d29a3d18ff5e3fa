package dev.mooring.csi.decide;

import dev.mooring.model.ObjectKey;

/** Key of the controller that releases sources of copies. */
public sealed interface CloneWork {
  // A claim that waits for its copy.
  record Copy(ObjectKey claim) implements CloneWork {
    @Override
    public String toString() {
      return claim.toString(); // in log lines
    }
  }

  // A source that may be released.
  record Source(CloneSource source) implements CloneWork {
    @Override
    public String toString() {
      return "source " + source.key();
    }
  }

  // A check of all snapshots.
  record Sweep() implements CloneWork {
    @Override
    public String toString() {
      return "all snapshots";
    }
  }

  // Returns the namespace for fair queuing.
  default String namespace() {
    return switch (this) {
      case Copy(ObjectKey claim) -> claim.namespace();
      case Source(CloneSource source) -> source.key().namespace();
      case Sweep() -> "";
    };
  }
}
