package dev.mooring.binder.decide;

import dev.mooring.binder.decide.ClaimDecision.Bind;
import dev.mooring.binder.decide.ClaimDecision.Contradiction;
import dev.mooring.binder.decide.ClaimDecision.HandOver;
import dev.mooring.binder.decide.ClaimDecision.MarkLost;
import dev.mooring.binder.decide.ClaimDecision.Provision;
import dev.mooring.binder.decide.ClaimDecision.TakeDefaultClass;
import dev.mooring.binder.decide.ClaimDecision.Wait;
import dev.mooring.binder.decide.ClaimDecision.Why;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.Optional;

/** Decides what becomes of a claim. Ids in comments are the scenario ids of this package. */
public final class ClaimDecider {
  private ClaimDecider() {}

  /** The one thing to do now. */
  public static ClaimDecision decide(ClaimView view, VolumeCatalogue volumes, Policy policy) {
    Claim claim = view.claim();
    if (claim.meta().has(Marks.BIND_COMPLETED)) {
      return bound(claim, volumes);
    }
    return claim.volumeName().isEmpty()
        ? any(view, volumes, policy)
        : named(claim, volumes, policy);
  }

  private static ClaimDecision any(ClaimView view, VolumeCatalogue volumes, Policy policy) {
    Claim claim = view.claim();
    Optional<Volume> match = VolumeMatcher.best(view, volumes, policy);
    if (match.isPresent()) {
      return new Bind(match.get()); // U3
    }
    if (claim.storageClass() == null && !view.defaultClass().isEmpty()) {
      return new TakeDefaultClass(view.defaultClass()); // U4
    }
    if (view.isDelayed() && !claim.meta().has(Marks.SELECTED_NODE)) {
      return delayed(view); // U6
    }
    if (!claim.className().isEmpty()) {
      return provision(view, volumes, policy); // U7
    }
    return new Wait(
        Why.NO_VOLUME,
        withNearMisses(
            "no persistent volumes available for this claim and no storage class is set",
            claim,
            volumes,
            policy),
        true); // U8
  }

  private static String withNearMisses(
      String note, Claim claim, VolumeCatalogue volumes, Policy policy) {
    String near = policy.kubernetes() ? "" : NearMisses.of(claim, volumes);
    return near.isEmpty() ? note : note + "; nearest: " + near;
  }

  private static ClaimDecision delayed(ClaimView view) {
    return switch (view.waitingPods().size()) {
      case 0 ->
          new Wait(
              Why.WAIT_FOR_CONSUMER,
              "waiting for first consumer to be created before binding",
              true);
      case 1 ->
          new Wait(
              Why.WAIT_FOR_SCHEDULING,
              "waiting for pod " + view.waitingPods().getFirst() + " to be scheduled",
              true);
      default ->
          new Wait(
              Why.WAIT_FOR_SCHEDULING,
              "waiting for pods " + String.join(",", view.waitingPods()) + " to be scheduled",
              true);
    };
  }

  private static ClaimDecision provision(ClaimView view, VolumeCatalogue volumes, Policy policy) {
    Claim claim = view.claim();
    if (!policy.provisioning()) {
      String note =
          "dynamic provisioning is switched off (--enable-dynamic-provisioning=false) and no volume fits";
      return policy.kubernetes()
          ? new Wait(Why.SILENT, "", false)
          : new Wait(Why.PROVISIONING_OFF, withNearMisses(note, claim, volumes, policy), false);
    }
    if (view.storageClass().isEmpty()) {
      String note = "storageclass.storage.k8s.io \"" + claim.className() + "\" not found";
      return new Wait(Why.PROVISIONING_FAILED, withNearMisses(note, claim, volumes, policy), false);
    }
    StorageClass storageClass = view.storageClass().get();
    return switch (view.provisioning()) {
      case Provisioning.ByPlugin(String name) when claim.hasDataSource() ->
          new Wait(
              Why.PROVISIONING_FAILED,
              "plugin \""
                  + name
                  + "\" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource",
              false);
      case Provisioning.ByPlugin(String name) -> new Provision(storageClass, name);
      case Provisioning.ByOthers(String name) -> new HandOver(storageClass, name);
      case Provisioning.ByNobody(String why) ->
          new Wait(Why.PROVISIONING_FAILED, withNearMisses(why, claim, volumes, policy), false);
    };
  }

  private static ClaimDecision named(Claim claim, VolumeCatalogue volumes, Policy policy) {
    String name = claim.volumeName();
    Optional<Volume> found = volumes.find(name);
    if (found.isEmpty()) { // U9
      return policy.kubernetes()
          ? new Wait(Why.SILENT, "", true)
          : new Wait(
              Why.VOLUME_MISSING,
              "volume \"" + name + "\" does not exist; create it or remove the claim's volumeName",
              true);
    }
    Volume volume = found.get();
    ClaimRef ref = volume.claimRef();
    if (ref == null) {
      String misfit = Fit.misfit(claim, volume);
      return misfit.isEmpty()
          ? new Bind(volume)
          : new Wait(
              Why.VOLUME_MISMATCH,
              "Cannot bind to requested volume \"" + name + "\": " + misfit,
              true); // U10, U11
    }
    if (ref.isFor(claim.key(), claim.meta().uid())) {
      return new Bind(volume); // U12: both sides name each other, nothing is checked
    }
    String note = "volume \"" + name + "\" already bound to a different claim.";
    return claim.meta().has(Marks.BOUND_BY_CONTROLLER)
        ? new Contradiction(Why.VOLUME_TAKEN, note)
        : new Wait(Why.VOLUME_TAKEN, note, true); // U14, U13
  }

  private static ClaimDecision bound(Claim claim, VolumeCatalogue volumes) {
    if (claim.volumeName().isEmpty()) {
      return new MarkLost(
          Why.CLAIM_LOST,
          "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!"); // B1
    }
    Optional<Volume> found = volumes.find(claim.volumeName());
    if (found.isEmpty()) {
      return new MarkLost(
          Why.CLAIM_LOST,
          "Bound claim has lost its PersistentVolume. Data on the volume is lost!"); // B2
    }
    ClaimRef ref = found.get().claimRef();
    if (ref == null || (!ref.uid().isNone() && ref.uid().equals(claim.meta().uid()))) {
      return new Bind(found.get()); // B3, B4
    }
    return new MarkLost(
        Why.CLAIM_MISBOUND,
        "Two claims are bound to the same volume, this one is bound incorrectly"); // B5
  }
}
