package dev.mooring.binder;

import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.VolumeReclaimer;
import dev.mooring.binder.execute.VolumeRecycler;
import dev.mooring.binder.observe.ChosenNodes;
import dev.mooring.binder.observe.VolumeMemory;
import dev.mooring.binder.observe.VolumeReservations;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.SharedStorageIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

final class BinderEventHandlers {
  record ChangeListeners(
      VolumeReservations reservations,
      VolumeMemory memory,
      ClaimExecutor claims,
      VolumeReclaimer reclaiming,
      VolumeRecycler recycling,
      Consumer<ObjectKey> wakeClaim,
      Consumer<ObjectKey> endClaim,
      Consumer<ObjectKey> wakeVolume) {}

  private final SharedInformers informers;
  private final ChangeListeners to;
  private final ChosenNodes chosenNodes = new ChosenNodes();
  private volatile List<Claim> claimsAtStart = List.of();

  BinderEventHandlers(SharedInformers informers, ChangeListeners to) {
    this.informers = informers;
    this.to = to;
  }

  void watchVolumes() {
    List<Claim> claims = new ArrayList<>();
    informers.of(Kind.CLAIM).snapshot().all().forEach(claims::add);
    claimsAtStart = claims;
    informers.of(Kind.VOLUME).addHandler(this::volumeChanged);
  }

  void watchClaims() {
    informers.of(Kind.CLAIM).addHandler(this::claimChanged);
    // runs after the handlers above have recorded the change; every change of a claim requeues it
    informers.of(Kind.CLAIM).forwardKeys(to.wakeClaim());
    // a claim that was deleted while only volumes were watched: its volume was judged with the old
    // claim
    for (Claim claim : claimsAtStart) {
      if (informers.of(Kind.CLAIM).get(claim.key()).isEmpty()) {
        claimChanged(new Change.Deleted<>(claim));
        to.wakeClaim().accept(claim.key());
      }
    }
    claimsAtStart = List.of();
    informers.of(Kind.STORAGE_CLASS).addHandler(this::classChanged);
    informers.of(Kind.POD).addHandler(this::podChanged);
    informers.of(Kind.NODE).onChange(this::nodeChanged);
  }

  private void volumeChanged(Change<Volume> change) {
    to.reservations().observed(change);
    switch (change) {
      case Change.Added<Volume>(Volume now) -> volumeAdded(now);
      case Change.Updated<Volume>(Volume _, Volume now) -> volumeAdded(now);
      case Change.Deleted<Volume>(Volume last) -> {
        SharedStorageIndex.of(informers.of(Kind.VOLUME), last)
            .forEach(
                twin -> to.wakeVolume().accept(twin.key())); // a twin may wait for the deletion
        if (to.reclaiming().forget(change.key())) {
          to.wakeVolume().accept(change.key());
        }
      }
    }
  }

  private void volumeAdded(Volume volume) {
    to.wakeVolume().accept(volume.key());
    ClaimRef ref = volume.claimRef();
    if (ref != null && to.reservations().isWaiting(ref.claim())) {
      to.endClaim().accept(ref.claim());
    }
  }

  private void claimChanged(Change<Claim> change) {
    chosenNodes.observed(change);
    switch (change) {
      case Change.Added<Claim>(Claim now) -> to.reservations().observedClaim(now);
      case Change.Updated<Claim>(Claim _, Claim now) -> to.reservations().observedClaim(now);
      case Change.Deleted<Claim>(Claim last) -> {
        to.claims().forget(last);
        to.memory().claimGone(last);
        to.reservations().claimGone(last.key()).forEach(to.wakeVolume());
        if (!last.volumeName().isEmpty()) {
          to.wakeVolume().accept(ObjectKey.cluster(last.volumeName()));
        }
      }
    }
  }

  private void nodeChanged(Change<Node> change) {
    if (change instanceof Change.Deleted<Node>(Node last)) {
      chosenNodes.of(last.meta().name()).forEach(to.wakeClaim());
    }
  }

  private void classChanged(Change<StorageClass> change) {
    boolean same =
        change instanceof Change.Updated<StorageClass>(StorageClass before, StorageClass now)
            && isSame(before, now);
    if (!same) {
      to.reservations().waitingForClass(change.key().name()).forEach(to.wakeClaim());
    }
  }

  /** Returns whether claims see no difference: a user may write labels to a class all day. */
  private static boolean isSame(StorageClass before, StorageClass now) {
    return before.isDefault() == now.isDefault()
        && now.equals(
            new StorageClass(
                now.meta(),
                before.provisioner(),
                before.parameters(),
                before.reclaimPolicy(),
                before.mountOptions(),
                before.binding(),
                before.allowsExpansion(),
                before.allowedTopologies()));
  }

  private void podChanged(Change<Pod> change) {
    Pod pod =
        switch (change) {
          case Change.Added<Pod>(Pod now) -> now;
          case Change.Updated<Pod>(Pod before, Pod now) -> now;
          case Change.Deleted<Pod>(Pod last) -> last;
        };
    to.recycling().volumeOf(pod.key()).ifPresent(to.wakeVolume());
    boolean gone = change instanceof Change.Deleted<Pod> || pod.isTerminated();
    for (String claim : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), claim);
      if (gone) {
        to.reservations()
            .volumesOf(key)
            .forEach(to.wakeVolume()); // a volume may wait to be recycled
      }
      if (to.reservations().isWaiting(key)) {
        to.wakeClaim().accept(key);
      }
    }
  }
}
