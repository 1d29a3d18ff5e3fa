package dev.mooring.populator.observe;

import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.populator.state.PopulationViews;
import dev.mooring.workqueue.WorkQueue;
import java.util.function.Consumer;

/** Requeues populations that a change may continue. Thread-safe. */
public final class PopulationEventHandlers {
  private final PopulationViews views;
  private final WorkQueue<ObjectKey> queue;
  private final Consumer<Uid> claimGone;

  public PopulationEventHandlers(
      PopulationViews views, WorkQueue<ObjectKey> queue, Consumer<Uid> claimGone) {
    this.views = views;
    this.queue = queue;
    this.claimGone = claimGone;
  }

  public void claimChanged(Change<Claim> change) {
    Claim claim = change.object();
    views.findOriginal(claim).ifPresent(queue::add);
    if (PopulationViews.isConcerned(claim)) {
      queue.add(claim.key());
    }
    switch (change) {
      case Change.Deleted<Claim>(Claim last, _) -> claimGone.accept(last.meta().uid());
      case Change.Updated<Claim>(Claim old, Claim current) when old.isReplacedBy(current) -> {
        claimGone.accept(old.meta().uid());
        queue.add(old.key()); // its prime claim may be left, whatever the later claim needs
      }
      case Change.Added<Claim> _, Change.Updated<Claim> _ -> {}
    }
  }

  public void volumeChanged(Change<Volume> change) {
    views.findPopulation(change.object()).ifPresent(queue::add);
    if (change instanceof Change.Updated<Volume>(Volume old, _)) {
      views.findPopulation(old).ifPresent(queue::add);
    }
  }

  public void classChanged(Change<StorageClass> change) {
    if (!(change instanceof Change.Deleted<StorageClass>)) {
      views.listUnbound().forEach(queue::add);
    }
  }

  public void pluginsChanged() {
    views.listUnbound().forEach(queue::add);
  }
}
