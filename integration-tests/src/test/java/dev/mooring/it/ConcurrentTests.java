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

/** Plays scenarios or cases concurrently, because they mostly wait. */
public final class ConcurrentTests {
  private static final int COUNT = Integer.getInteger("mooring.scenarios.at-once", 12);

  private final ExecutorService players;

  /** Uses the concurrency of {@code -Dmooring.scenarios.at-once}. */
  public ConcurrentTests() {
    this(COUNT);
  }

  public ConcurrentTests(int count) {
    players = Executors.newFixedThreadPool(count);
  }

  /** Returns one test per name; all start together. */
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

  /** Interrupts unfinished plays. */
  public void stop() {
    players.shutdownNow();
  }
}
