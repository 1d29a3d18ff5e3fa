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

/** Runs tests concurrently, because they mostly wait. */
public final class ConcurrentTests {
  private static final int DEFAULT_THREADS = Integer.getInteger("mooring.scenarios.at-once", 12);

  private final ExecutorService executor;

  /** Uses the concurrency of {@code -Dmooring.scenarios.at-once}. */
  public ConcurrentTests() {
    this(DEFAULT_THREADS);
  }

  public ConcurrentTests(int threads) {
    executor = Executors.newFixedThreadPool(threads);
  }

  /** Returns one test per name; all start together. */
  public Stream<DynamicTest> tests(List<String> names, ThrowingConsumer<String> test) {
    return names.stream()
        .map(name -> {
          Future<?> result = executor.submit(() -> runTest(name, test));
          return dynamicTest(name, () -> await(result));
        })
        .toList()
        .stream();
  }

  private static String runTest(String name, ThrowingConsumer<String> test) throws Exception {
    try {
      test.accept(name);
      return name;
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable throwable) {
      throw new IllegalStateException(throwable);
    }
  }

  private static void await(Future<?> result) throws Throwable {
    try {
      result.get();
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** Interrupts tests that still run. */
  public void stop() {
    executor.shutdownNow();
  }
}
