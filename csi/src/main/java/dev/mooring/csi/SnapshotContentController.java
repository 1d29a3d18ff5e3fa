package dev.mooring.csi;

import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.SnapshotReconciler;
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
 * Snapshotter of one driver, equivalent to csi-snapshotter: creates, polls and deletes the
 * snapshots, or the group snapshots, of contents. Starts when the cluster serves the kinds.
 *
 * @param <C> type of the contents
 * @param <S> type of their classes
 */
final class SnapshotContentController<C extends Resource, S extends Resource> {
  private static final Duration SOON = Duration.ofSeconds(1);

  record WatchedKinds<C extends Resource, S extends Resource>(
      String name,
      Informer<C> contents,
      Informer<S> classes,
      Function<C, String> namespaceOf,
      List<Informer<?>> alike) {
    WatchedKinds {
      alike = List.copyOf(alike);
    }

    // An incomplete cache may lack a class or a twin.
    boolean areSynced() {
      return classes.isSynced() && alike.stream().allMatch(Informer::isSynced);
    }
  }

  private final DriverSession session;
  private final int workers;
  private final WatchedKinds<C, S> watched;
  private final SnapshotReconciler<C, ?, ?> reconciler;
  private final WorkQueue<ObjectKey> queue;

  SnapshotContentController(
      DriverSession session,
      CsiConfig config,
      WatchedKinds<C, S> watched,
      SnapshotReconciler<C, ?, ?> reconciler,
      Time time) {
    this.session = session;
    this.workers = config.workers();
    this.watched = watched;
    this.reconciler = reconciler;
    this.queue =
        WorkQueue.fair(
            watched.name() + "-" + session.driver(),
            time,
            new Backoff<>(config.firstRetry(), config.lastRetry()),
            key -> watched.contents().get(key).map(watched.namespaceOf()).orElse(""));
  }

  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .uses(watched.classes(), watched.contents()) // not every cluster serves the kinds
        .on(watched.contents(), this::contentChanged)
        .onChange(watched.classes(), this::classChanged)
        .once(() -> session.onReady(this::requeueAll))
        .loop(queue, this::sync, workers)
        .build();
  }

  private void requeueAll() {
    watched.contents().snapshot().all().forEach(this::add);
  }

  private void add(C content) {
    if (reconciler.isOurs(content)) {
      queue.add(content.key());
    }
  }

  private void contentChanged(Change<C> change) {
    reconciler.waitingFor(change.object()).forEach(queue::add);
    switch (change) {
      case Change.Added<C>(C now) -> add(now);
      case Change.Updated<C>(C before, C now) -> {
        if (!reconciler.differsOnlyByOwnWrites(before, now)) {
          add(now);
        }
      }
      case Change.Deleted<C>(C last) -> reconciler.forget(last);
    }
  }

  private void classChanged(Change<S> change) {
    if (change instanceof Change.Deleted<S>) {
      return;
    }
    for (C content : watched.contents().snapshot().all()) {
      if (reconciler.waitsFor(change.key().name(), content)) {
        add(content);
      }
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<C> content = watched.contents().get(key);
    if (content.isEmpty()) {
      return Outcome.SETTLED;
    }
    return watched.areSynced() ? reconciler.sync(content.get()) : new Outcome.CheckAgain(SOON);
  }
}
