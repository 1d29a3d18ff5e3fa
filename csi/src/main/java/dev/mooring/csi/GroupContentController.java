package dev.mooring.csi;

import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.execute.GroupSnapshotting;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What csi-snapshotter does for one driver's groups: has it make, watch and destroy those of
 * VolumeGroupSnapshotContents. Their kinds may be missing in the cluster: it begins when they are
 * there.
 */
final class GroupContentController {
  private static final Duration SOON = Duration.ofSeconds(1);

  private final DriverSession session;
  private final int workers;
  private final Informer<GroupSnapshotContent> contents;
  private final Informer<GroupSnapshotClass> classes;
  private final GroupSnapshotting snapshotting;
  private final WorkQueue<ObjectKey> queue;

  GroupContentController(
      DriverSession session,
      CsiConfig config,
      SharedInformers informers,
      GroupSnapshotting snapshotting,
      Time time) {
    this.session = session;
    this.workers = config.workers();
    this.contents = informers.of(Kind.GROUP_SNAPSHOT_CONTENT);
    this.classes = informers.of(Kind.GROUP_SNAPSHOT_CLASS);
    this.snapshotting = snapshotting;
    this.queue =
        new WorkQueue<>(
            "csi-group-snapshotter-" + session.driver(),
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

  private void add(GroupSnapshotContent content) {
    if (content.driver().equals(session.driver())) {
      queue.add(content.key());
    }
  }

  private void watch(Change<GroupSnapshotContent> change) {
    switch (change) {
      case Change.Added<GroupSnapshotContent>(GroupSnapshotContent now) -> add(now);
      case Change.Updated<GroupSnapshotContent>(
              GroupSnapshotContent before,
              GroupSnapshotContent now) -> {
        if (!isOurOwnWord(before, now)) {
          add(now);
        }
      }
      case Change.Deleted<GroupSnapshotContent>(GroupSnapshotContent last) ->
          snapshotting.forget(last);
    }
  }

  /** What we write down ourselves must not end the back-off that it began. */
  private static boolean isOurOwnWord(GroupSnapshotContent before, GroupSnapshotContent now) {
    return silent(before).equals(silent(now));
  }

  private static GroupSnapshotContent silent(GroupSnapshotContent content) {
    Meta meta = content.meta();
    String going = meta.annotation(GroupSnapshotContent.BEING_DELETED);
    return new GroupSnapshotContent(
        new Meta(
            meta.key(),
            meta.uid(),
            0,
            meta.created(),
            meta.deleted(),
            Map.of(),
            Map.of(GroupSnapshotContent.BEING_DELETED, going),
            meta.finalizers()),
        content.group(),
        content.policy(),
        content.driver(),
        content.className(),
        content.source(),
        GroupSnapshotContent.Status.NONE);
  }

  private void watchClass(Change<GroupSnapshotClass> change) {
    if (change instanceof Change.Deleted<GroupSnapshotClass>) {
      return;
    }
    for (GroupSnapshotContent content : contents.snapshot().all()) {
      if (content.className().equals(change.key().name()) && !content.status().ready()) {
        add(content);
      }
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<GroupSnapshotContent> content = contents.snapshot().get(key);
    if (content.isEmpty()) {
      return Outcome.SETTLED;
    }
    return classes.isSynced()
        ? snapshotting.sync(content.get())
        : new Outcome.CheckAgain(SOON); // a class that is not known is not missing yet
  }
}
