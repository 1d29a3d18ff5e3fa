package dev.mooring.operation;

import dev.mooring.cluster.WriteResult;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;

/**
 * How a job ended. {@link KeyedOperations} alone translates it: a job that has ended does not by
 * itself have its key looked at again.
 */
public sealed interface Completion {
  /**
   * It is done, and what it brought about comes back through the informers, which have the key
   * looked at. Ends the key's back-off.
   */
  record Done() implements Completion {}

  /**
   * It is done, and whoever looks at the key next needs to know: no informer tells of it. The key
   * is looked at once, which must not begin the same job again. Ends the key's back-off.
   */
  record Noted() implements Completion {}

  /**
   * It is not done.
   *
   * @param why what happens next depends on its kind alone
   */
  record Failed(Failure why) implements Completion {}

  /**
   * It is not done, because the API server did not say what had to be known, or did not take what
   * was to be written. Tried again soon, however often that happened: within {@link
   * Outcome#UNANSWERED_LONGEST} of its recovery.
   *
   * @param why for people
   */
  record Unanswered(String why) implements Completion {}

  /** Done, and told of by the informers. */
  Completion DONE = new Done();

  /** Done, and known here alone. */
  Completion NOTED = new Noted();

  /** What is needed is not to be had, though the server was asked. */
  static Completion unreachable(String message) {
    return new Failed(new Failure.Unreachable(message));
  }

  /**
   * A write that went wrong.
   *
   * @param what what was being done, for people
   * @param result none that says that it is written
   */
  static Completion unwritten(String what, WriteResult<?> result) {
    String why = what + ": " + result;
    return switch (result) {
      case WriteResult.Unreachable<?> _, WriteResult.Conflict<?> _ -> new Unanswered(why);
      case WriteResult.Written<?> _, WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          unreachable(why);
    };
  }
}
