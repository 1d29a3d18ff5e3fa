package dev.mooring.benchmarks;

import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.TakeResult;
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
 * Question: how many keys a second pass through the queue with all guarantees and metrics, compared
 * with client-java-extended 25? Limit: 6.6 M/s on one thread (twice client-go), and not below the
 * peer.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class WorkQueueBenchmark {
  @State(Scope.Thread)
  public static class OwnQueue {
    private final SystemTime time = new SystemTime();
    private final WorkQueue<Integer> queue = new WorkQueue<>("bench", time);
    private int key;

    @TearDown(Level.Trial)
    public void close() {
      time.close();
    }
  }

  @State(Scope.Thread)
  public static class PeerQueue {
    private final DefaultWorkQueue<Integer> queue = new DefaultWorkQueue<>();
    private int key;
  }

  @Benchmark
  @Threads(1)
  public void cycle(OwnQueue own) throws InterruptedException {
    own.queue.add(own.key++ & 1023);
    if (own.queue.take() instanceof TakeResult.Item<Integer>(Integer key)) {
      own.queue.done(key);
    }
  }

  @Benchmark
  @Threads(1)
  public void cyclePeer(PeerQueue peer) throws InterruptedException {
    peer.queue.add(peer.key++ & 1023);
    peer.queue.done(peer.queue.get());
  }

  /** Adds a key twice; the queue merges the second addition with the first. */
  @Benchmark
  @Threads(1)
  public void dedup(OwnQueue own) throws InterruptedException {
    int next = own.key++ & 1023;
    own.queue.add(next);
    own.queue.add(next);
    if (own.queue.take() instanceof TakeResult.Item<Integer>(Integer key)) {
      own.queue.done(key);
    }
  }

  @Benchmark
  @Threads(1)
  public void delayed(OwnQueue own) {
    own.queue.addAfter(own.key++ & 1023, Duration.ofHours(1));
  }

  @Benchmark
  @Threads(1)
  public void rateLimited(OwnQueue own) {
    int next = own.key++ & 1023;
    own.queue.addRateLimited(next);
    own.queue.forget(next);
  }

  @State(Scope.Benchmark)
  public static class SharedQueues {
    private final SystemTime time = new SystemTime();
    private final WorkQueue<Long> queue = new WorkQueue<>("bench", time);
    private final DefaultWorkQueue<Long> peer = new DefaultWorkQueue<>();

    @TearDown(Level.Trial)
    public void close() {
      time.close();
    }
  }

  @State(Scope.Thread)
  public static class ThreadKeys {
    private long key = Thread.currentThread().threadId() << 40;
  }

  /** Eight threads share one queue. Each adds its own keys and processes any key. */
  @Benchmark
  @Threads(8)
  public void shared(SharedQueues shared, ThreadKeys keys) throws InterruptedException {
    shared.queue.add(keys.key++);
    if (shared.queue.take() instanceof TakeResult.Item<Long>(Long key)) {
      shared.queue.done(key);
    }
  }

  @Benchmark
  @Threads(8)
  public void sharedPeer(SharedQueues shared, ThreadKeys keys) throws InterruptedException {
    shared.peer.add(keys.key++);
    shared.peer.done(shared.peer.get());
  }
}
