package dev.mooring.operation;

import org.jspecify.annotations.Nullable;

/** What is known of a key's job, the one that runs or the last one. Not thread-safe. */
final class OperationSlot {
  boolean busy; // a job of it runs, or waits for its turn
  @Nullable Thread thread; // of a job that runs
  boolean forgotten; // what runs does not count for the key any more
  int failures;
  long notBefore;
  @Nullable Object basis; // of the job that runs
  boolean overtaken; // by now a job with another basis is wanted
  @Nullable Object refused; // what was refused rested on that

  /** Whatever runs is to end. */
  void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
