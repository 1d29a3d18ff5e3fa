package dev.mooring.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Reconciler;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.WorkQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fatal errors end the process. Each case runs in its own process. */
class FatalErrorsTest {
  private static final int EXIT_NORMAL = 42;
  private static final String SHUT_DOWN = "queue is shut down";

  private enum FatalError {
    VITAL_THREAD_RETURNS,
    VITAL_THREAD_THROWS,
    ONE_SHOT_THREAD_THROWS,
    WORKER_OUT_OF_MEMORY,
    REFLECTOR_OUT_OF_MEMORY,
    REFLECTOR_STACK_OVERFLOW,
    TIMER_TASK_OUT_OF_MEMORY,
    ANY_THREAD_OUT_OF_MEMORY
  }

  @ParameterizedTest
  @EnumSource(FatalError.class)
  void process_fatalError_exitsWithOneLineAndCode(FatalError error) throws Exception {
    Process process = child(error.name());
    assertThat(printedLines(process))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("mooring: ")
        .contains("exiting");
    assertThat(process.waitFor()).isEqualTo(FatalErrors.EXIT_CODE);
  }

  /**
   * An interrupt that a plugin leaves in a worker's thread causes one retry, but does not end the
   * worker.
   */
  @Test
  void process_leftoverInterrupt_exitsNormally() throws Exception {
    Process process = child("");
    assertThat(printedLines(process)).isEmpty();
    assertThat(process.waitFor()).isEqualTo(EXIT_NORMAL);
  }

  /** Controllers stop their queue first, then its workers. */
  @Test
  void process_queueShutDown_endsOnlyItsWorkers() throws Exception {
    Process process = child(SHUT_DOWN);
    assertThat(printedLines(process)).isEmpty();
    assertThat(process.waitFor()).isEqualTo(EXIT_NORMAL);
  }

  private static Process child(String error) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FatalErrorsTest.class.getName(),
            error)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Returns the process's own lines, without those of the JDK's logging. */
  private static List<String> printedLines(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("mooring: "))
        .toList();
  }

  private static void causeError(FatalError error) throws InterruptedException {
    SystemTime time = new SystemTime();
    switch (error) {
      case VITAL_THREAD_RETURNS -> VitalThreads.start("vital", () -> false, () -> {});
      case VITAL_THREAD_THROWS ->
          VitalThreads.start(
              "vital",
              () -> false,
              () -> {
                throw new IllegalStateException("two\nlines");
              });
      case ONE_SHOT_THREAD_THROWS ->
          VitalThreads.startOnce(
              "once",
              () -> {
                throw new IllegalStateException("a bug");
              });
      case WORKER_OUT_OF_MEMORY -> {
        WorkQueue<String> queue = new WorkQueue<>("q", time);
        startWorkers(queue, FatalErrorsTest::noMemory, 1);
        queue.add("key");
      }
      case REFLECTOR_OUT_OF_MEMORY -> startReflector(time, new OutOfMemoryError("Java heap space"));
      case REFLECTOR_STACK_OVERFLOW -> startReflector(time, new StackOverflowError());
      case TIMER_TASK_OUT_OF_MEMORY -> time.schedule(Duration.ZERO, () -> noMemory("a timer task"));
      case ANY_THREAD_OUT_OF_MEMORY -> {
        FatalErrors.install();
        Thread.ofPlatform().start(() -> noMemory("a thread"));
      }
    }
  }

  private static void startWorkers(
      WorkQueue<String> queue, Reconciler<String> reconciler, int parallelism)
      throws InterruptedException {
    new ControllerRuntime(
            ControllerSpec.builder("w").loop(queue, reconciler, parallelism).build(), queue.time())
        .start();
  }

  private static Outcome noMemory(String user) {
    throw new OutOfMemoryError("no memory for " + user);
  }

  private static void startReflector(SystemTime time, Error error) {
    new Reflector<>(
            new Informer<CsiDriver>(Kind.CSI_DRIVER, List.of()),
            new GivenListWatch<>(() -> {
              throw error;
            }),
            time,
            () -> 0)
        .start();
  }

  /** Main method of the child process: causes the error and waits for the exit. */
  public static void main(String... error) throws InterruptedException {
    if (error[0].isEmpty()) {
      WorkQueue<String> queue = new WorkQueue<>("q", new SystemTime());
      CountDownLatch calls = new CountDownLatch(3);
      startWorkers(
          queue,
          key -> {
            calls.countDown();
            Thread.currentThread().interrupt();
            if (calls.getCount() == 1) {
              throw new InterruptedException("left behind");
            }
            return new Outcome.CheckAgain(Duration.ZERO);
          },
          1);
      queue.add("key");
      calls.await();
      System.exit(EXIT_NORMAL);
    }
    if (error[0].equals(SHUT_DOWN)) {
      WorkQueue<String> queue = new WorkQueue<>("q", new SystemTime());
      CompletableFuture<Thread> worker = new CompletableFuture<>();
      startWorkers(
          queue,
          key -> {
            worker.complete(Thread.currentThread());
            return Outcome.SETTLED;
          },
          1);
      queue.add("key");
      worker.join();
      queue.shutDown();
      worker.join().join();
      System.exit(EXIT_NORMAL);
    }
    causeError(FatalError.valueOf(error[0]));
    new CountDownLatch(1).await(20, TimeUnit.SECONDS);
    System.exit(0);
  }
}
