package dev.mooring.csi.observe;

import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.state.ContentMemory;
import dev.mooring.csi.state.ContentTwins;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.workqueue.WorkQueue;

/**
 * Requeues the contents of one driver's snapshots or group snapshots.
 *
 * @param <C> type of the contents
 */
public record ContentEventHandlers<C extends Resource>(
    String driver,
    Informer<C> contents,
    ContentTwins twins,
    ContentMemory memory,
    WorkQueue<ObjectKey> queue) {
  // Requeues all contents of a driver that becomes ready.
  public void driverIsReady() {
    contents.snapshot().objects().forEach(content -> requeue(ContentView.of(content)));
  }

  private void requeue(ContentView content) {
    if (content.driver().equals(driver)) {
      queue.add(content.key());
    }
  }

  public void contentChanged(Change<C> change) {
    twins.findBlockedDeletions(ContentView.of(change.object())).forEach(queue::add);
    switch (change) {
      case Change.Added<C>(C current) -> requeue(ContentView.of(current));
      case Change.Updated<C>(C old, C current) -> {
        if (old.isReplacedBy(current)) {
          memory.forget(old.meta().uid());
        }
        // our own writes must not end the back-off that they started
        ContentView view = ContentView.of(current);
        if (!view.withoutOwnWrites().equals(ContentView.of(old).withoutOwnWrites())) {
          requeue(view);
        }
      }
      case Change.Deleted<C>(C last, _) -> memory.forget(last.meta().uid());
    }
  }

  public <S extends Resource> void classChanged(Change<S> change) {
    if (change instanceof Change.Deleted<S>) {
      return;
    }
    for (C content : contents.snapshot().objects()) {
      ContentView view = ContentView.of(content);
      if (view.className().equals(change.key().name()) && !view.status().isReady()) {
        requeue(view);
      }
    }
  }
}
