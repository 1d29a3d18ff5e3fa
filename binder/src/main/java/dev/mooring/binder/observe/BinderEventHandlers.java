package dev.mooring.binder.observe;

import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.RecyclerPodNames;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.binder.state.SelectedNodes;
import dev.mooring.binder.state.VolumeReservations;
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
import java.util.List;

/** Handles watch events: updates the state and requeues the keys that a change may affect. */
public final class BinderEventHandlers {
  private final SharedInformers informers;
  private final BinderState state;
  private final VolumeReservations reservations;
  private final RequeueTarget queues;
  private final SelectedNodes selectedNodes = new SelectedNodes();
  private volatile List<Claim> claimsAtStart = List.of();

  public BinderEventHandlers(SharedInformers informers, BinderState state, RequeueTarget queues) {
    this.informers = informers;
    this.state = state;
    this.reservations = state.reservations();
    this.queues = queues;
  }

  public void watchVolumes() {
    claimsAtStart = informers.of(Kind.CLAIM).snapshot().toList();
    informers.of(Kind.VOLUME).addHandler(this::volumeChanged);
  }

  public void watchClaims() {
    informers.of(Kind.CLAIM).addHandler(this::claimChanged);
    // runs after the handlers above have recorded the change; every change of a claim requeues it
    informers.of(Kind.CLAIM).forwardKeys(queues::requeueClaim);
    // a claim that was deleted while only volumes were watched: its volume was judged with the old
    // claim
    for (Claim claim : claimsAtStart) {
      if (informers.of(Kind.CLAIM).get(claim.key()).isEmpty()) {
        claimChanged(new Change.Deleted<>(claim, true));
        queues.requeueClaim(claim.key());
      }
    }
    claimsAtStart = List.of();
    informers.of(Kind.STORAGE_CLASS).addHandler(this::classChanged);
    informers.of(Kind.POD).addHandler(this::podChanged);
    informers.of(Kind.NODE).onChange(this::nodeChanged);
  }

  private void volumeChanged(Change<Volume> change) {
    reservations.volumeChanged(change);
    switch (change) {
      case Change.Added<Volume>(Volume current) -> requeueWithClaim(current);
      case Change.Updated<Volume>(Volume old, Volume current) -> {
        if (old.isReplacedBy(current)) {
          forgetVolume(old);
        }
        requeueWithClaim(current);
      }
      case Change.Deleted<Volume>(Volume last, _) -> forgetVolume(last);
    }
  }

  private void forgetVolume(Volume last) {
    SharedStorageIndex.findTwins(informers.of(Kind.VOLUME), last)
        .forEach(twin -> queues.requeueVolume(twin.key())); // a twin may wait for the deletion
    if (state.forgetVolume(last.key())) {
      queues.requeueVolume(last.key());
    }
  }

  private void requeueWithClaim(Volume volume) {
    queues.requeueVolume(volume.key());
    ClaimRef ref = volume.claimRef();
    if (ref != null && reservations.isWaiting(ref.claim())) {
      queues.requeueClaimFirst(ref.claim());
    }
  }

  private void claimChanged(Change<Claim> change) {
    selectedNodes.claimChanged(change);
    switch (change) {
      case Change.Added<Claim>(Claim current) -> reservations.updateClaim(current);
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (old.isReplacedBy(current)) {
          forgetClaim(old);
        }
        reservations.updateClaim(current);
      }
      case Change.Deleted<Claim>(Claim last, _) -> forgetClaim(last);
    }
  }

  private void forgetClaim(Claim last) {
    state.forgetClaim(last).forEach(queues::requeueVolume);
    if (!last.volumeName().isEmpty()) {
      queues.requeueVolume(ObjectKey.cluster(last.volumeName()));
    }
  }

  private void nodeChanged(Change<Node> change) {
    if (change instanceof Change.Deleted<Node>(Node last, _)) {
      selectedNodes.of(last.meta().name()).forEach(queues::requeueClaim);
    }
  }

  private void classChanged(Change<StorageClass> change) {
    boolean isUnchanged =
        change instanceof Change.Updated<StorageClass>(StorageClass old, StorageClass current)
            && isEqualForClaims(old, current);
    if (!isUnchanged) {
      reservations.claimsWaitingForClass(change.key().name()).forEach(queues::requeueClaim);
    }
  }

  // returns whether claims see no difference: a user may write labels to a class all day
  private static boolean isEqualForClaims(StorageClass old, StorageClass current) {
    return old.isDefault() == current.isDefault()
        && current.equals(
            new StorageClass(
                current.meta(),
                old.provisioner(),
                old.parameters(),
                old.reclaimPolicy(),
                old.mountOptions(),
                old.binding(),
                old.allowsExpansion(),
                old.allowedTopologies()));
  }

  private void podChanged(Change<Pod> change) {
    Pod pod =
        switch (change) {
          case Change.Added<Pod>(Pod current) -> current;
          case Change.Updated<Pod>(Pod old, Pod current) -> current;
          case Change.Deleted<Pod>(Pod last, _) -> last;
        };
    state.recycleMemory().volumeOf(pod.key()).ifPresent(queues::requeueVolume);
    // an earlier process may have created the pod for a volume that is gone
    RecyclerPodNames.scrubbedVolume(pod.key(), name -> false)
        .map(ObjectKey::cluster)
        .ifPresent(queues::requeueVolume);
    boolean isFinished = change instanceof Change.Deleted<Pod> || pod.isTerminated();
    for (String claim : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), claim);
      if (isFinished) {
        reservations
            .volumesOf(key)
            .forEach(queues::requeueVolume); // a volume may wait to be recycled
      }
      if (reservations.isWaiting(key)) {
        queues.requeueClaim(key);
      }
    }
  }
}
