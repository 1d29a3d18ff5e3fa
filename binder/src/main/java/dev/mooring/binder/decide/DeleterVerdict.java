package dev.mooring.binder.decide;

public sealed interface DeleterVerdict {
  record Plugin(String name) implements DeleterVerdict {}

  record Others() implements DeleterVerdict {}

  record NoDeleter(String message) implements DeleterVerdict {}
}
