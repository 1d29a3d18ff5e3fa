package dev.mooring.benchmarks;

import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.Taken;
import dev.mooring.workqueue.WorkQueue;
import io.kubernetes.client.extended.workqueue.DefaultWorkQueue;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Question: how many keys a second go through the queue, with all guarantees and metrics on, beside
 * client-java-extended 25? Bar: 6.6 M/s on one thread (twice client-go), and not below the peer.
 * What does it cost to serve owners in turn?
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class WorkQueueBenchmark {
  /** Our queue, alone with one thread. */
  @State(Scope.Thread)
  public static class Ours {
    private final SystemTime time = new SystemTime();
    private final WorkQueue<Integer> queue = new WorkQueue<>("bench", time);
    private final WorkQueue<Integer> fair = WorkQueue.fair("bench", time, key -> key & 7);
    private int key;

    @TearDown(Level.Trial)
    public void close() {
      time.close();
    }
  }

  /** The peer's queue, alone with one thread. */
  @State(Scope.Thread)
  public static class Peer {
    private final DefaultWorkQueue<Integer> queue = new DefaultWorkQueue<>();
    private int key;
  }

  @Benchmark
  @Threads(1)
  public void cycle(Ours ours) throws InterruptedException {
    ours.queue.add(ours.key++ & 1023);
    if (ours.queue.take() instanceof Taken.Item<Integer>(Integer key)) {
      ours.queue.done(key);
    }
  }

  /** The same with a queue that serves eight owners in turn. */
  @Benchmark
  @Threads(1)
  public void cycleInTurns(Ours ours) throws InterruptedException {
    ours.fair.add(ours.key++ & 1023);
    if (ours.fair.take() instanceof Taken.Item<Integer>(Integer key)) {
      ours.fair.done(key);
    }
  }

  @Benchmark
  @Threads(1)
  public void cyclePeer(Peer peer) throws InterruptedException {
    peer.queue.add(peer.key++ & 1023);
    peer.queue.done(peer.queue.get());
  }

  /** add twice, take once, done: the second addition collapses. */
  @Benchmark
  @Threads(1)
  public void dedup(Ours ours) throws InterruptedException {
    int next = ours.key++ & 1023;
    ours.queue.add(next);
    ours.queue.add(next);
    if (ours.queue.take() instanceof Taken.Item<Integer>(Integer key)) {
      ours.queue.done(key);
    }
  }

  /** A key that waits an hour: 1024 of them, put off again and again. */
  @Benchmark
  @Threads(1)
  public void delayed(Ours ours) {
    ours.queue.addAfter(ours.key++ & 1023, Duration.ofHours(1));
  }

  /** A failure and its end: rate-limited addition, forgotten. */
  @Benchmark
  @Threads(1)
  public void rateLimited(Ours ours) {
    int next = ours.key++ & 1023;
    ours.queue.addRateLimited(next);
    ours.queue.forget(next);
  }

  /** One queue for everybody. */
  @State(Scope.Benchmark)
  public static class Shared {
    private final SystemTime time = new SystemTime();
    private final WorkQueue<Long> queue = new WorkQueue<>("bench", time);
    private final DefaultWorkQueue<Long> peer = new DefaultWorkQueue<>();

    @TearDown(Level.Trial)
    public void close() {
      time.close();
    }
  }

  /** Own keys per thread. */
  @State(Scope.Thread)
  public static class Own {
    private long key = Thread.currentThread().threadId() << 40;
  }

  /**
   * Eight threads on one queue, each adding a key of its own and processing whichever comes: as
   * many producers as consumers.
   */
  @Benchmark
  @Threads(8)
  public void shared(Shared shared, Own own) throws InterruptedException {
    shared.queue.add(own.key++);
    if (shared.queue.take() instanceof Taken.Item<Long>(Long key)) {
      shared.queue.done(key);
    }
  }

  @Benchmark
  @Threads(8)
  public void sharedPeer(Shared shared, Own own) throws InterruptedException {
    shared.peer.add(own.key++);
    shared.peer.done(shared.peer.get());
  }
}
