package dev.mooring.operation;

import dev.mooring.spi.Attempt;
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

  /** Done, and told of by the informers. */
  Completion DONE = new Done();

  /** Done, and known here alone. */
  Completion NOTED = new Noted();

  /** The server could not be asked, or what it said was not what was hoped for. */
  static Completion unreachable(String message) {
    return new Failed(new Failure.Unreachable(message));
  }

  /** Done as that says, if the attempt succeeded. */
  static Completion of(Attempt<?> attempt, Completion done) {
    return switch (attempt) {
      case Attempt.Done<?> _ -> done;
      case Attempt.Failed<?>(Failure why) -> new Failed(why);
    };
  }
}
