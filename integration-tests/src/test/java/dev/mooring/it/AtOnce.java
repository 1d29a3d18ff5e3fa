package dev.mooring.it;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.ThrowingConsumer;

/** Plays scenarios or cases, several at once: they mostly wait, for nothing to happen. */
public final class AtOnce {
  private static final int COUNT = Integer.getInteger("mooring.scenarios.at-once", 12);

  private final ExecutorService players;

  /** As many as {@code -Dmooring.scenarios.at-once} says. */
  public AtOnce() {
    this(COUNT);
  }

  /** So many at once. */
  public AtOnce(int count) {
    players = Executors.newFixedThreadPool(count);
  }

  /** A test for each, which all begin to be played at once. */
  public Stream<DynamicTest> tests(List<String> names, ThrowingConsumer<String> play) {
    return names.stream()
        .map(name -> {
          Future<?> played = players.submit(() -> result(name, play));
          return dynamicTest(name, () -> await(played));
        })
        .toList()
        .stream();
  }

  private static String result(String name, ThrowingConsumer<String> play) throws Exception {
    try {
      play.accept(name);
      return name;
    } catch (Exception | Error failed) {
      throw failed;
    } catch (Throwable other) {
      throw new IllegalStateException(other);
    }
  }

  private static void await(Future<?> played) throws Throwable {
    try {
      played.get();
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** Those that are not done are broken off. */
  public void stop() {
    players.shutdownNow();
  }
}
