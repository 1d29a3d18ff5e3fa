package dev.mooring.csi;

import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.Snapshotting;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What csi-snapshotter does for one driver: has it make, watch and destroy the snapshots of
 * VolumeSnapshotContents. Their kinds may be missing in the cluster: it begins when they are there.
 */
final class SnapshotContentController {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final DriverSession session;
  private final int workers;
  private final Informer<SnapshotContent> contents;
  private final Informer<SnapshotClass> classes;
  private final Snapshotting snapshotting;
  private final WorkQueue<ObjectKey> queue;

  SnapshotContentController(
      DriverSession session,
      CsiConfig config,
      SharedInformers informers,
      Snapshotting snapshotting,
      Time time) {
    this.session = session;
    this.workers = config.workers();
    this.contents = informers.of(Kind.SNAPSHOT_CONTENT);
    this.classes = informers.of(Kind.SNAPSHOT_CLASS);
    this.snapshotting = snapshotting;
    this.queue =
        new WorkQueue<>(
            "csi-snapshotter-" + session.driver(),
            time,
            new Backoff<>(config.firstRetry(), config.lastRetry()));
  }

  /** What it is made of, to be run once. */
  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .on(contents, this::watch)
        .onChange(classes, this::watchClass)
        .once(() -> session.onReady(this::wake))
        .loop(queue, this::sync, workers)
        .build();
  }

  private void wake() {
    contents.snapshot().all().forEach(this::add);
  }

  private void add(SnapshotContent content) {
    if (content.driver().equals(session.driver())) {
      queue.add(content.key());
    }
  }

  private void watch(Change<SnapshotContent> change) {
    switch (change) {
      case Change.Added<SnapshotContent>(SnapshotContent now) -> add(now);
      case Change.Updated<SnapshotContent>(SnapshotContent before, SnapshotContent now) -> {
        if (!isOurOwnWord(before, now)) {
          add(now);
        }
      }
      case Change.Deleted<SnapshotContent>(SnapshotContent last) -> snapshotting.forget(last);
    }
  }

  /** What we write down ourselves must not end the back-off that it began. */
  private static boolean isOurOwnWord(SnapshotContent before, SnapshotContent now) {
    return silent(before).equals(silent(now));
  }

  private static SnapshotContent silent(SnapshotContent content) {
    Meta meta = content.meta();
    String going = meta.annotation(SnapshotContent.BEING_DELETED);
    return new SnapshotContent(
        new Meta(
            meta.key(),
            meta.uid(),
            0,
            meta.created(),
            meta.deleted(),
            Map.of(),
            Map.of(SnapshotContent.BEING_DELETED, going),
            meta.finalizers()),
        content.snapshot(),
        content.policy(),
        content.driver(),
        content.className(),
        content.source(),
        content.mode(),
        SnapshotContent.Status.NONE);
  }

  private void watchClass(Change<SnapshotClass> change) {
    if (change instanceof Change.Deleted<SnapshotClass>) {
      return;
    }
    for (SnapshotContent content : contents.snapshot().all()) {
      if (content.className().equals(change.key().name()) && !content.status().ready()) {
        add(content);
      }
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<SnapshotContent> content = contents.snapshot().get(key);
    if (content.isEmpty()) {
      return Outcome.SETTLED;
    }
    return classes.isSynced()
        ? snapshotting.sync(content.get())
        : new Outcome.CheckAgain(SOON); // a class that is not known is not missing yet
  }
}
