package dev.mooring.binder.decide;

/** Deleter of a volume. */
public sealed interface DeleterVerdict {
  record Plugin(String name) implements DeleterVerdict {}

  /** A process outside Mooring deletes the volume. */
  record Others() implements DeleterVerdict {}

  /**
   * No plugin can delete the volume.
   *
   * @param note the reason, in Kubernetes' words
   */
  record Nobody(String note) implements DeleterVerdict {}
}
