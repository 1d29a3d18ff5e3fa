package dev.mooring.manager.danger;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Input of a search: the objects that can matter for the data of one claim. Immutable.
 *
 * @param claim the claim whose data is in danger
 * @param objects the objects before the first act; they are also the content of the backup
 * @param workloads workloads that own pods or claims of the slice
 * @param podOwners workload of each pod that has one
 * @param claimOwners owners of each claim that has some: workloads or pods
 * @param templateClaims claims that a StatefulSet creates, with the pod that needs them
 * @param nodes nodes of the pods, and one other if there is one
 */
public record SearchInput(
    ObjectKey claim,
    ClusterSlice objects,
    List<OwningWorkload> workloads,
    Map<ObjectKey, Uid> podOwners,
    Map<ObjectKey, Set<Uid>> claimOwners,
    Map<ObjectKey, ObjectKey> templateClaims,
    List<String> nodes) {
  public SearchInput {
    workloads = List.copyOf(workloads);
    podOwners = Map.copyOf(podOwners);
    claimOwners = Map.copyOf(claimOwners);
    templateClaims = Map.copyOf(templateClaims);
    nodes = List.copyOf(nodes);
  }

  public DangerState start() {
    return new DangerState(objects, Set.of(), Set.of(), Set.of(), Set.of());
  }

  public SearchInput withObjects(ClusterSlice changed) {
    return new SearchInput(
        claim, changed, workloads, podOwners, claimOwners, templateClaims, nodes);
  }
}
