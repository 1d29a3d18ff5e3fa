package dev.mooring.populator.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;

/**
 * A pod with the name of a populator pod.
 *
 * @param key namespace and name
 * @param uid uid of the pod
 * @param populates namespace and name of the user's claim; "" if Mooring did not create the pod
 * @param primeUid uid of the prime claim whose volume the pod fills
 * @param phase phase of the pod
 * @param isBeingDeleted whether the pod has a deletionTimestamp
 * @param created creation time in seconds since the epoch
 * @param failure what the pod's status says about a failure; "" if nothing
 */
public record FillPod(
    ObjectKey key,
    Uid uid,
    String populates,
    Uid primeUid,
    Pod.Phase phase,
    boolean isBeingDeleted,
    long created,
    String failure) {
  boolean belongsTo(ObjectKey claim) {
    return populates.equals(claim.toString());
  }
}
