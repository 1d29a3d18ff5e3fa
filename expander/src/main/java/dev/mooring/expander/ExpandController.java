package dev.mooring.expander;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.execute.ExpandExecutor;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Worker;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The expand controller ({@code persistentvolume-expander-controller}). */
public final class ExpandController implements Controller {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "persistentvolume-expander-controller";

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final int WORKERS = 10;

  /**
   * What it acts through.
   *
   * @param writer writes
   * @param reader live reads
   * @param events events
   * @param time clock and timers
   */
  public record Ports(ClusterWriter writer, LiveReader reader, EventSink events, Time time) {}

  private final Informer<Claim> claims;
  private final LiveReader reader;
  private final boolean likeKubernetes;
  private final ExpandExecutor executor;
  private final WorkQueue<ObjectKey> queue;
  private final Worker<ObjectKey> worker;

  /** A controller that does nothing yet. */
  public ExpandController(Informer<Claim> claims, Ports ports, boolean likeKubernetes) {
    this.claims = claims;
    this.reader = ports.reader();
    this.likeKubernetes = likeKubernetes;
    this.executor = new ExpandExecutor(ports.writer(), ports.events());
    this.queue = new WorkQueue<>("volume_expand", ports.time());
    this.worker = new Worker<>("volume_expand", queue, this::sync, WORKERS);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start() throws InterruptedException {
    claims.awaitSynced();
    claims.addHandler(change -> {
      switch (change) {
        case Change.Added<Claim>(Claim now) -> {
          if (now.phase() == ClaimPhase.BOUND) {
            queue.add(now.key());
          }
        }
        case Change.Updated<Claim>(Claim before, Claim now) -> {
          if (ExpandDecider.concerns(before, now)) {
            queue.add(now.key());
          }
        }
        case Change.Deleted<Claim>(Claim last) -> executor.forget(last.key());
      }
    });
    worker.start();
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> known = claims.snapshot().get(key);
    if (known.isEmpty() || known.get().phase() != ClaimPhase.BOUND) {
      return Outcome.SETTLED;
    }
    Claim claim = known.get();
    if (!ExpandDecider.mayConcern(claim, likeKubernetes)) {
      return Outcome.SETTLED; // no need to ask the server for 100,000 volumes at every start
    }
    return switch (reader.read(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()))) {
      case ReadResult.Found<Volume>(Volume volume) ->
          executor.execute(claim, ExpandDecider.decide(claim, volume, likeKubernetes));
      case ReadResult.Absent<Volume> _ ->
          new Outcome.Retry(
              new Failure.Rejected(
                  "claim " + key + " names volume \"" + claim.volumeName() + "\", which is gone"));
      case ReadResult.Failed<Volume>(String message) ->
          new Outcome.Retry(new Failure.Unreachable(message));
    };
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    return worker.stop(grace);
  }

  @Override
  public boolean isIdle() {
    return queue.isIdle(SOON);
  }

  @Override
  public List<QueueStats> queueStats() {
    return List.of(queue.stats());
  }
}
