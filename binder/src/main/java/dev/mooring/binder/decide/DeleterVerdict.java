package dev.mooring.binder.decide;

/** Deleter of a volume. */
public sealed interface DeleterVerdict {
  record Plugin(String name) implements DeleterVerdict {}

  record Others() implements DeleterVerdict {}

  record NoDeleter(String note) implements DeleterVerdict {}
}
