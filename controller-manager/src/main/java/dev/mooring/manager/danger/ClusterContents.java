package dev.mooring.manager.danger;

import dev.mooring.model.Claim;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Objects of a cluster. {@link ClusterIndex} selects those that matter for one claim.
 *
 * @param nodes names of the nodes
 * @param owners owners of pods and claims, by the uid of the owned object
 * @param workloads topmost workloads, by the uid of each owner below or equal to them
 */
public record ClusterContents(
    List<Claim> claims,
    List<Volume> volumes,
    List<Pod> pods,
    List<StorageClass> classes,
    List<String> nodes,
    Map<Uid, Set<Uid>> owners,
    Map<Uid, OwningWorkload> workloads) {
  public ClusterContents {
    claims = List.copyOf(claims);
    volumes = List.copyOf(volumes);
    pods = List.copyOf(pods);
    classes = List.copyOf(classes);
    nodes = List.copyOf(nodes);
    owners = Map.copyOf(owners);
    workloads = Map.copyOf(workloads);
  }
}
