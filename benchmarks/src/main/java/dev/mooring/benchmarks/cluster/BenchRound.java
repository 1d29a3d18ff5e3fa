package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs one contender with one work on a clean cluster and removes all objects afterwards. */
final class BenchRound {
  private static final long OTHER_CONTROLLER_MILLIS = 1000;
  private static final long IDLE_POLL_MILLIS = 500;
  private static final double IDLE_CPU_SECONDS = 0.03; // CPU time per interval
  private static final long STANDBY_MILLIS = 20_000; // most standbys wait for days
  private static final int IDLE_POLLS = 60;

  /**
   * Environment of a round.
   *
   * @param kubeconfig kubeconfig for the contender's process
   * @param logs directory for the contender's logs
   */
  record RoundEnvironment(TestCluster cluster, Path kubeconfig, Path logs) {}

  /** Work, kind of start and number of units. */
  record RoundTask(ClusterWork work, StartMode start, int count) {
    String title() {
      return work.title() + ", " + start.option();
    }
  }

  /** Callbacks at the start and at the end of the measured time. */
  interface MeasuredWindow {
    MeasuredWindow NONE =
        new MeasuredWindow() {
          @Override
          public void begin() {}

          @Override
          public void end() {}
        };

    void begin() throws IOException;

    /** Called when all units are done, while the contender still runs. */
    void end() throws IOException, InterruptedException;
  }

  private final RoundEnvironment environment;
  private final ClusterWork work;
  private final StartMode start;
  private final int count;
  private final MeasuredWindow window;

  BenchRound(RoundEnvironment environment, RoundTask task, MeasuredWindow window) {
    this.environment = environment;
    this.work = task.work();
    this.start = task.start();
    this.count = task.count();
    this.window = window;
  }

  RoundResult run(BenchContender contender) throws IOException, InterruptedException {
    RoundResult result;
    try {
      result =
          switch (contender) {
            case BenchContender.BareClient _ -> runBareClient();
            case BenchContender.StartableContender other -> runProcess(other);
          };
    } catch (IOException | RuntimeException e) {
      try {
        environment.cluster().cleanUp();
      } catch (RuntimeException cleanupFailure) {
        e.addSuppressed(cleanupFailure); // the first failure is the cause
      }
      throw e;
    }
    environment.cluster().cleanUp();
    return result;
  }

  private void prepare(int units, int requested) throws InterruptedException {
    TestCluster cluster = environment.cluster();
    work.createShared(cluster);
    cluster.forEach(units, unit -> work.prepare(cluster, unit));
    cluster.forEach(requested, unit -> work.request(cluster, unit));
    Thread.sleep(OTHER_CONTROLLER_MILLIS);
    for (int unit = 0; unit < units; unit++) {
      if (work.isDone(cluster, unit)) {
        throw new IllegalStateException(
            "another controller does this work in this cluster (unit %d of %s is already done): stop the other volume controllers first"
                .formatted(unit, work.option()));
      }
    }
  }

  // Does the writes of each unit in this process, once the unit is requested.
  private RoundResult runBareClient() throws IOException, InterruptedException {
    boolean isWarm = start == StartMode.WARM;
    prepare(count, isWarm ? 0 : count);
    window.begin();
    TestCluster cluster = environment.cluster();
    AtomicLongArray requestedAt = initialTimes(System.nanoTime());
    List<CountDownLatch> requested =
        Stream.generate(() -> new CountDownLatch(isWarm ? 1 : 0)).limit(count).toList();
    Future<?> requests =
        cluster.start(() ->
            cluster.forEach(
                isWarm ? count : 0,
                unit -> {
                  requestUnit(unit, unit, requestedAt);
                  requested.get(unit).countDown();
                }));
    Future<?> writes =
        cluster.start(() -> {
          cluster.forEach(
              count,
              unit -> {
                requested.get(unit).await();
                work.writeDirectly(cluster, unit);
              });
          work.writeCombined(cluster, IntStream.range(0, count).boxed().toList());
        });
    long[] doneAt = new CompletionPoller(work, cluster, () -> {}).await(0, count);
    TestCluster.join(requests);
    TestCluster.join(writes);
    window.end();
    return RoundResult.of(toArray(requestedAt), doneAt, new ProcessUsage(0, 0, 0));
  }

  private RoundResult runProcess(BenchContender.StartableContender contender)
      throws IOException, InterruptedException {
    if (start.needsElection()) {
      return runTakeover(contender);
    }
    boolean isWarm = start == StartMode.WARM;
    prepare(isWarm ? 2 * count : count, count);
    if (!isWarm) {
      window.begin();
    }
    long startNanos = System.nanoTime();
    try (BenchContender.RunningProcess process =
        contender.start(environment.kubeconfig(), work, Optional.empty(), log(contender))) {
      CompletionPoller poller =
          new CompletionPoller(work, environment.cluster(), process::requireAlive);
      long[] doneAt = poller.await(0, count);
      RoundResult firstBurst =
          RoundResult.of(toArray(initialTimes(startNanos)), doneAt, process.usage());
      if (isWarm) {
        return firstBurst.done() < count ? RoundResult.NONE : runSecondBurst(process, poller);
      }
      window.end();
      return firstBurst;
    }
  }

  // This process is the leader at first, and makes no decisions.
  private RoundResult runTakeover(BenchContender.StartableContender contender)
      throws IOException, InterruptedException {
    prepare(count, count);
    TestCluster cluster = environment.cluster();
    cluster.holdLease();
    try (BenchContender.RunningProcess process =
        contender.start(
            environment.kubeconfig(), work, Optional.of(TestCluster.LEASE), log(contender))) {
      Thread.sleep(STANDBY_MILLIS);
      awaitIdle(process);
      CompletionPoller poller = new CompletionPoller(work, cluster, process::requireAlive);
      window.begin();
      double cpuBefore = process.usage().cpuSeconds();
      long startNanos = System.nanoTime();
      if (start == StartMode.EXPIRY) {
        cluster.renewLease();
      } else {
        cluster.releaseLease();
      }
      long[] doneAt = poller.await(0, count);
      ProcessUsage usage = process.usage();
      window.end();
      return RoundResult.of(toArray(initialTimes(startNanos)), doneAt, usage.since(cpuBefore));
    } finally {
      cluster.removeLease();
    }
  }

  private RoundResult runSecondBurst(BenchContender.RunningProcess process, CompletionPoller poller)
      throws IOException, InterruptedException {
    awaitIdle(process);
    window.begin();
    double cpuBefore = process.usage().cpuSeconds();
    AtomicLongArray requestedAt = initialTimes(System.nanoTime());
    Future<?> requests =
        environment
            .cluster()
            .start(() ->
                environment
                    .cluster()
                    .forEach(count, unit -> requestUnit(unit, count + unit, requestedAt)));
    long[] doneAt = poller.await(count, count);
    TestCluster.join(requests);
    ProcessUsage usage = process.usage();
    window.end();
    return RoundResult.of(toArray(requestedAt), doneAt, usage.since(cpuBefore));
  }

  private void requestUnit(int index, int unit, AtomicLongArray requestedAt)
      throws InterruptedException {
    requestedAt.set(index, System.nanoTime());
    work.request(environment.cluster(), unit);
    environment.cluster().countStandInRequest();
  }

  private AtomicLongArray initialTimes(long startNanos) {
    long[] times = new long[count];
    Arrays.fill(times, startNanos);
    return new AtomicLongArray(times);
  }

  private static long[] toArray(AtomicLongArray requestedAt) {
    return IntStream.range(0, requestedAt.length()).mapToLong(requestedAt::get).toArray();
  }

  private static void awaitIdle(BenchContender.RunningProcess process)
      throws IOException, InterruptedException {
    double lastCpu = process.usage().cpuSeconds();
    for (int poll = 0; poll < IDLE_POLLS; poll++) {
      Thread.sleep(IDLE_POLL_MILLIS);
      double cpu = process.usage().cpuSeconds();
      if (cpu - lastCpu <= IDLE_CPU_SECONDS) {
        return;
      }
      lastCpu = cpu;
    }
    System.err.println(
        "mooring: bench: the process is not idle before the measured burst; measuring anyway");
  }

  private Path log(BenchContender contender) {
    return environment.logs().resolve("cluster-" + contender.title() + ".log");
  }
}
