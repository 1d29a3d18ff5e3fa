package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.ProcessUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One contender does one work, from nothing to the end, and all is taken away again. */
final class Round {
  private static final long NOBODY_ELSE_MILLIS = 1000;
  private static final long REST_MILLIS = 500;
  private static final double AT_REST_SECONDS = 0.03; // of the processor in that time
  private static final int LOOKS_FOR_REST = 60;

  /**
   * Where it is done.
   *
   * @param cluster what is made and seen there
   * @param kubeconfig the way that processes take
   * @param logs where they say what they do
   */
  record Place(TestCluster cluster, Path kubeconfig, Path logs) {}

  /**
   * What is to be done.
   *
   * @param start how the process is found by it
   * @param count how many units
   */
  record Task(Work work, Start start, int count) {
    String title() {
      return work.title() + ", " + start.option();
    }
  }

  /** Somebody who wants to know when what is measured begins and when it has ended. */
  interface Window {
    Window NONE =
        new Window() {
          @Override
          public void begin() {}

          @Override
          public void end() {}
        };

    /** Nothing was asked of the contender yet. */
    void begin() throws IOException;

    /** Everything is done; the contender is still there. */
    void end() throws IOException, InterruptedException;
  }

  private final Place place;
  private final Work work;
  private final Start start;
  private final int count;
  private final Window window;

  Round(Place place, Task task, Window window) {
    this.place = place;
    this.work = task.work();
    this.start = task.start();
    this.count = task.count();
    this.window = window;
  }

  Result play(Contender contender) throws IOException, InterruptedException {
    Result result;
    try {
      result =
          switch (contender) {
            case Contender.Bare _ -> byHand();
            case Contender.Startable other -> byProcess(other);
          };
    } catch (IOException | RuntimeException failed) {
      try {
        place.cluster().cleanUp();
      } catch (RuntimeException left) {
        failed.addSuppressed(left); // the first is why
      }
      throw failed;
    }
    place.cluster().cleanUp();
    return result;
  }

  private void prepare(int units, int asked) throws InterruptedException {
    TestCluster cluster = place.cluster();
    work.begin(cluster);
    cluster.each(units, unit -> work.prepare(cluster, unit));
    cluster.each(asked, unit -> work.ask(cluster, unit));
    Thread.sleep(NOBODY_ELSE_MILLIS);
    for (int unit = 0; unit < units; unit++) {
      if (work.isDone(cluster, unit)) {
        throw new IllegalStateException(
            "somebody else does this work here (unit %d of %s is done): stop the other controllers of volumes first"
                .formatted(unit, work.option()));
      }
    }
  }

  /** Each unit has its turn when it was asked for. */
  private Result byHand() throws IOException, InterruptedException {
    boolean warm = start == Start.WARM;
    prepare(count, warm ? 0 : count);
    window.begin();
    TestCluster cluster = place.cluster();
    AtomicLongArray asked = asked(System.nanoTime());
    List<CountDownLatch> turns =
        Stream.generate(() -> new CountDownLatch(warm ? 1 : 0)).limit(count).toList();
    Future<?> asking =
        cluster.begin(() ->
            cluster.each(
                warm ? count : 0,
                unit -> {
                  ask(unit, unit, asked);
                  turns.get(unit).countDown();
                }));
    Future<?> working =
        cluster.begin(() -> {
          cluster.each(
              count,
              unit -> {
                turns.get(unit).await();
                work.bare(cluster, unit);
              });
          work.bareEnd(cluster, IntStream.range(0, count).boxed().toList());
        });
    long[] done = new Looking(work, cluster, () -> {}).await(0, count);
    TestCluster.end(asking);
    TestCluster.end(working);
    window.end();
    return Result.of(times(asked), done, new ProcessUsage(0, 0, 0));
  }

  private Result byProcess(Contender.Startable contender) throws IOException, InterruptedException {
    boolean warm = start == Start.WARM;
    prepare(warm ? 2 * count : count, count);
    if (!warm) {
      window.begin();
    }
    long began = System.nanoTime();
    try (Contender.Running process = contender.start(place.kubeconfig(), work, log(contender))) {
      Looking looking = new Looking(work, place.cluster(), process::mustLive);
      long[] done = looking.await(0, count);
      Result first = Result.of(times(asked(began)), done, process.usage());
      if (warm) {
        return first.done() < count ? Result.NONE : again(process, looking);
      }
      window.end();
      return first;
    }
  }

  /** The process has done as much before, and is asked for more. */
  private Result again(Contender.Running process, Looking looking)
      throws IOException, InterruptedException {
    awaitRest(process);
    window.begin();
    double before = process.usage().cpuSeconds();
    AtomicLongArray asked = asked(System.nanoTime());
    Future<?> asking =
        place
            .cluster()
            .begin(() -> place.cluster().each(count, unit -> ask(unit, count + unit, asked)));
    long[] done = looking.await(count, count);
    TestCluster.end(asking);
    ProcessUsage after = process.usage();
    window.end();
    return Result.of(
        times(asked),
        done,
        new ProcessUsage(after.cpuSeconds() - before, after.residentMib(), after.peakMib()));
  }

  private void ask(int index, int unit, AtomicLongArray asked) throws InterruptedException {
    asked.set(index, System.nanoTime());
    work.ask(place.cluster(), unit);
    place.cluster().sendsForOthers();
  }

  /** When each was asked for: then, until it is known better. */
  private AtomicLongArray asked(long then) {
    long[] all = new long[count];
    Arrays.fill(all, then);
    return new AtomicLongArray(all);
  }

  private static long[] times(AtomicLongArray asked) {
    return IntStream.range(0, asked.length()).mapToLong(asked::get).toArray();
  }

  private static void awaitRest(Contender.Running process)
      throws IOException, InterruptedException {
    double before = process.usage().cpuSeconds();
    for (int look = 0; look < LOOKS_FOR_REST; look++) {
      Thread.sleep(REST_MILLIS);
      double now = process.usage().cpuSeconds();
      if (now - before <= AT_REST_SECONDS) {
        return;
      }
      before = now;
    }
    System.err.println("mooring: bench: the process is still busy after its first burst");
  }

  private Path log(Contender contender) {
    return place.logs().resolve("cluster-" + contender.title() + ".log");
  }
}
