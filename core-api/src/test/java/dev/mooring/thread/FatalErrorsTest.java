package dev.mooring.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Reconciler;
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
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What must not die in silence ends its process; each is tried in a process of its own. */
@Timeout(300)
class FatalErrorsTest {
  private static final int UNHARMED = 42;
  private static final String SHUT_DOWN = "a queue is shut down";

  private enum Accident {
    A_VITAL_THREAD_RETURNS,
    A_VITAL_THREAD_THROWS,
    A_THREAD_THAT_WORKS_ONCE_THROWS,
    A_WORKER_HAS_NO_MEMORY,
    A_REFLECTOR_HAS_NO_MEMORY,
    A_REFLECTOR_HAS_NO_STACK,
    A_TIMER_TASK_HAS_NO_MEMORY,
    ANY_THREAD_HAS_NO_MEMORY
  }

  @ParameterizedTest
  @EnumSource(Accident.class)
  void theProcessEndsWithOneLineAndItsCode(Accident accident) throws Exception {
    Process process = child(accident.name());
    assertThat(said(process))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("mooring: ")
        .contains("ends");
    assertThat(process.waitFor()).isEqualTo(FatalErrors.EXIT_CODE);
  }

  /** A plugin that leaves its interrupt behind costs a key a retry, and no worker. */
  @Test
  void aStrayInterruptEndsNothing() throws Exception {
    Process process = child("");
    assertThat(said(process)).isEmpty();
    assertThat(process.waitFor()).isEqualTo(UNHARMED);
  }

  /** As controllers do when they are stopped: the queue first, then its workers. */
  @Test
  void aQueueThatIsShutDownEndsItsWorkersAlone() throws Exception {
    Process process = child(SHUT_DOWN);
    assertThat(said(process)).isEmpty();
    assertThat(process.waitFor()).isEqualTo(UNHARMED);
  }

  private static Process child(String accident) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FatalErrorsTest.class.getName(),
            accident)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Without what the JDK's logging says. */
  private static List<String> said(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("mooring: "))
        .toList();
  }

  private static void happens(Accident accident) throws InterruptedException {
    SystemTime time = new SystemTime();
    switch (accident) {
      case A_VITAL_THREAD_RETURNS -> VitalThreads.start("vital", () -> false, () -> {});
      case A_VITAL_THREAD_THROWS ->
          VitalThreads.start(
              "vital",
              () -> false,
              () -> {
                throw new IllegalStateException("two\nlines");
              });
      case A_THREAD_THAT_WORKS_ONCE_THROWS ->
          VitalThreads.startOnce(
              "once",
              () -> {
                throw new IllegalStateException("a bug");
              });
      case A_WORKER_HAS_NO_MEMORY -> {
        WorkQueue<String> queue = new WorkQueue<>("q", time);
        work(queue, FatalErrorsTest::noMemory, 1);
        queue.add("key");
      }
      case A_REFLECTOR_HAS_NO_MEMORY -> reflect(time, new OutOfMemoryError("Java heap space"));
      case A_REFLECTOR_HAS_NO_STACK -> reflect(time, new StackOverflowError());
      case A_TIMER_TASK_HAS_NO_MEMORY ->
          time.schedule(Duration.ZERO, () -> noMemory("a timer task"));
      case ANY_THREAD_HAS_NO_MEMORY -> {
        FatalErrors.install();
        Thread.ofPlatform().start(() -> noMemory("a thread"));
      }
    }
  }

  private static void work(WorkQueue<String> queue, Reconciler<String> reconciler, int parallelism)
      throws InterruptedException {
    new ControllerRuntime(
            ControllerSpec.named("w").loop(queue, reconciler, parallelism).build(), queue.time())
        .start();
  }

  private static Outcome noMemory(String what) {
    throw new OutOfMemoryError("no memory for " + what);
  }

  private static void reflect(SystemTime time, Error error) {
    new Reflector<>(
            new Informer<CsiDriver>(Kind.CSI_DRIVER, List.of()), new Failing(error), time, () -> 0)
        .start();
  }

  private record Failing(Error error) implements ListWatch<CsiDriver> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<CsiDriver> each) {
      throw error;
    }

    @Override
    public Page head(int most, Consumer<CsiDriver> each) {
      throw error;
    }

    @Override
    public void watch(long from, boolean everything, Sink<CsiDriver> sink) {
      throw error;
    }

    @Override
    public void catchUp(long from, Sink<CsiDriver> sink) {
      throw error;
    }
  }

  /** The process: has the accident, and waits for its end. */
  public static void main(String... accident) throws InterruptedException {
    if (accident[0].isEmpty()) {
      WorkQueue<String> queue = new WorkQueue<>("q", new SystemTime());
      CountDownLatch again = new CountDownLatch(3);
      work(
          queue,
          key -> {
            again.countDown();
            Thread.currentThread().interrupt();
            if (again.getCount() == 1) {
              throw new InterruptedException("left behind");
            }
            return new Outcome.CheckAgain(Duration.ZERO);
          },
          1);
      queue.add("key");
      again.await();
      System.exit(UNHARMED);
    }
    if (accident[0].equals(SHUT_DOWN)) {
      WorkQueue<String> queue = new WorkQueue<>("q", new SystemTime());
      CompletableFuture<Thread> worker = new CompletableFuture<>();
      work(
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
      System.exit(UNHARMED);
    }
    happens(Accident.valueOf(accident[0]));
    new CountDownLatch(1).await(20, TimeUnit.SECONDS);
    System.exit(0);
  }
}
