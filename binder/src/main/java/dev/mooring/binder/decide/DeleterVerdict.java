package dev.mooring.binder.decide;

/** Who destroys a volume. */
public sealed interface DeleterVerdict {
  /** A plugin of this process, of that name. */
  record Plugin(String name) implements DeleterVerdict {}

  /** Somebody else. */
  record Others() implements DeleterVerdict {}

  /**
   * Nobody.
   *
   * @param note why, in Kubernetes' words
   */
  record Nobody(String note) implements DeleterVerdict {}
}
