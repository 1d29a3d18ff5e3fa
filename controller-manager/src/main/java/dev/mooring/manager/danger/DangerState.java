package dev.mooring.manager.danger;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumePhase;
import java.util.HashSet;
import java.util.Set;

/**
 * State of the objects after acts. Immutable; equal states have equal futures.
 *
 * @param lostNodes nodes whose kubelet does not run
 * @param endingNamespaces namespaces that are being deleted
 * @param endedWorkloads workloads that were deleted
 * @param neverBound restored volumes that were never Bound since
 */
public record DangerState(
    ClusterSlice objects,
    Set<String> lostNodes,
    Set<String> endingNamespaces,
    Set<Uid> endedWorkloads,
    Set<Uid> neverBound) {
  public DangerState {
    lostNodes = Set.copyOf(lostNodes);
    endingNamespaces = Set.copyOf(endingNamespaces);
    endedWorkloads = Set.copyOf(endedWorkloads);
    neverBound = Set.copyOf(neverBound);
  }

  DangerState with(ClusterSlice changed) {
    Set<Uid> unbound = neverBound;
    if (!neverBound.isEmpty()) {
      unbound = new HashSet<>();
      for (var volume : changed.volumes().values()) {
        if (neverBound.contains(volume.meta().uid()) && volume.phase() != VolumePhase.BOUND) {
          unbound.add(volume.meta().uid());
        }
      }
    }
    return new DangerState(changed, lostNodes, endingNamespaces, endedWorkloads, unbound);
  }

  DangerState withLostNodes(Set<String> changed) {
    return new DangerState(objects, changed, endingNamespaces, endedWorkloads, neverBound);
  }

  DangerState withEndingNamespaces(Set<String> changed) {
    return new DangerState(objects, lostNodes, changed, endedWorkloads, neverBound);
  }

  DangerState withEndedWorkloads(Set<Uid> changed) {
    return new DangerState(objects, lostNodes, endingNamespaces, changed, neverBound);
  }

  DangerState withNeverBound(Set<Uid> changed) {
    return new DangerState(objects, lostNodes, endingNamespaces, endedWorkloads, changed);
  }
}
