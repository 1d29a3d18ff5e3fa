package dev.mooring.benchmarks;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Waits for what has to come: the one place where a benchmark sleeps until something is so. Where
 * the end of what is measured is seen by such a look, the pause between two looks is its error, so
 * whoever measures says how long that is.
 *
 * @param every how long is paused between two looks
 * @param most how long it may take; of what comes piece by piece, how long no piece may come
 */
public record Await(Duration every, Duration most) {
  /**
   * What is waited for.
   *
   * @param <X> what a look may fail with, which ends the waiting
   */
  @FunctionalInterface
  public interface Condition<X extends Exception> {
    boolean isMet() throws X, InterruptedException;
  }

  /**
   * What comes piece by piece.
   *
   * @param <X> what a look may fail with, which ends the waiting
   */
  @FunctionalInterface
  public interface Left<X extends Exception> {
    int count() throws X, InterruptedException;
  }

  /** One that looks that often, in milliseconds, for at most so many seconds. */
  public static Await of(long everyMillis, long mostSeconds) {
    return new Await(Duration.ofMillis(everyMillis), Duration.ofSeconds(mostSeconds));
  }

  /**
   * Waits until it is so.
   *
   * @param missing what is so instead if it does not come, asked for then
   * @throws IllegalStateException with that, if it does not come
   */
  public <X extends Exception> void until(Supplier<String> missing, Condition<X> condition)
      throws X, InterruptedException {
    if (!comes(condition)) {
      throw notCome(missing);
    }
  }

  /** The same for what needs no looking for. */
  public <X extends Exception> void until(String missing, Condition<X> condition)
      throws X, InterruptedException {
    until(() -> missing, condition);
  }

  /** Waits until it is so: whether it came to that. */
  public <X extends Exception> boolean comes(Condition<X> condition)
      throws X, InterruptedException {
    return noneLeft(() -> condition.isMet() ? 0 : 1);
  }

  /**
   * Waits until all have come.
   *
   * @param missing as with {@link #until}
   * @throws IllegalStateException with that, if none comes for too long
   */
  public <X extends Exception> void untilNoneLeft(Supplier<String> missing, Left<X> left)
      throws X, InterruptedException {
    if (!noneLeft(left)) {
      throw notCome(missing);
    }
  }

  /** Waits until all have come: whether they did, or none came for too long. */
  public <X extends Exception> boolean noneLeft(Left<X> left) throws X, InterruptedException {
    long progressed = System.nanoTime();
    int fewest = Integer.MAX_VALUE;
    for (int now = left.count(); now > 0; now = left.count()) {
      if (now < fewest) {
        fewest = now;
        progressed = System.nanoTime();
      } else if (System.nanoTime() - progressed > most.toNanos()) {
        return false;
      }
      Thread.sleep(every);
    }
    return true;
  }

  private IllegalStateException notCome(Supplier<String> missing) {
    return new IllegalStateException(
        "%s (waited %.1f s)".formatted(missing.get(), most.toMillis() / 1000.0));
  }
}
