package dev.mooring.manager.lifecycle;

import java.util.function.BooleanSupplier;

/** Whether this process may write: always, or while it leads. Thread-safe. */
final class WriteGate {
  private volatile BooleanSupplier open = () -> true;

  /** From now on that decides. */
  void follow(BooleanSupplier leading) {
    open = leading;
  }

  boolean isOpen() {
    return open.getAsBoolean();
  }
}
