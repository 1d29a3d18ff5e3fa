package dev.mooring.csi;

import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.Snapshotting;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What csi-snapshotter does for one driver: has it make, watch and destroy the snapshots, or the
 * groups of them, that contents stand for. Their kinds may be missing in the cluster: it begins
 * when they are there.
 *
 * @param <C> the contents
 * @param <S> their classes
 */
final class SnapshotContentController<C extends Resource, S extends Resource> {
  private static final Duration SOON = Duration.ofSeconds(1);

  /**
   * What it looks at.
   *
   * @param name what the queue's name begins with
   * @param contents the contents
   * @param classes their classes
   * @param namespaceOf the namespace that a content serves
   * @param alike the caches of every kind of content that may name the same data
   */
  record Watched<C extends Resource, S extends Resource>(
      String name,
      Informer<C> contents,
      Informer<S> classes,
      Function<C, String> namespaceOf,
      List<Informer<?>> alike) {
    Watched {
      alike = List.copyOf(alike);
    }

    /** A class or a twin that an incomplete cache lacks may exist. */
    boolean areKnown() {
      return classes.isSynced() && alike.stream().allMatch(Informer::isSynced);
    }
  }

  private final DriverSession session;
  private final int workers;
  private final Watched<C, S> watched;
  private final Snapshotting<C, ?, ?> snapshotting;
  private final WorkQueue<ObjectKey> queue;

  SnapshotContentController(
      DriverSession session,
      CsiConfig config,
      Watched<C, S> watched,
      Snapshotting<C, ?, ?> snapshotting,
      Time time) {
    this.session = session;
    this.workers = config.workers();
    this.watched = watched;
    this.snapshotting = snapshotting;
    this.queue =
        WorkQueue.fair(
            watched.name() + "-" + session.driver(),
            time,
            new Backoff<>(config.firstRetry(), config.lastRetry()),
            key -> watched.contents().get(key).map(watched.namespaceOf()).orElse(""));
  }

  /** What it is made of, to be run once. */
  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .uses(watched.classes(), watched.contents()) // not every cluster has the kinds
        .on(watched.contents(), this::contentChanged)
        .onChange(watched.classes(), this::classChanged)
        .once(() -> session.onReady(this::wake))
        .loop(queue, this::sync, workers)
        .build();
  }

  private void wake() {
    watched.contents().snapshot().all().forEach(this::add);
  }

  private void add(C content) {
    if (snapshotting.isOurs(content)) {
      queue.add(content.key());
    }
  }

  private void contentChanged(Change<C> change) {
    snapshotting.waitingFor(change.object()).forEach(queue::add);
    switch (change) {
      case Change.Added<C>(C now) -> add(now);
      case Change.Updated<C>(C before, C now) -> {
        if (!snapshotting.isOurOwnWord(before, now)) {
          add(now);
        }
      }
      case Change.Deleted<C>(C last) -> snapshotting.forget(last);
    }
  }

  private void classChanged(Change<S> change) {
    if (change instanceof Change.Deleted<S>) {
      return;
    }
    for (C content : watched.contents().snapshot().all()) {
      if (snapshotting.waitsFor(change.key().name(), content)) {
        add(content);
      }
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<C> content = watched.contents().get(key);
    if (content.isEmpty()) {
      return Outcome.SETTLED;
    }
    return watched.areKnown() ? snapshotting.sync(content.get()) : new Outcome.CheckAgain(SOON);
  }
}
