package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.NodeRules;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.provisioner.state.ElectionDelays;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.time.Time;
import java.util.Optional;

/**
 * Decides which claims and volumes belong to this node, where each node runs an instance.
 * Thread-safe.
 */
public final class NodeShare {
  private final NodeRules.Instance instance;
  private final NodeStorage storage;
  private final NodeElection election;
  private final VolumeMemory memory;

  public NodeShare(
      ProvisionedStorage.Node node, ClusterWriter writer, Time time, VolumeMemory memory) {
    this.instance =
        new NodeRules.Instance(
            node.name(), node.acceptsImmediate(), node.baseDelay(), node.maxDelay());
    this.storage = node.storage();
    this.election =
        new NodeElection(
            instance, storage, writer, new ElectionDelays(instance, node.random(), time));
    this.memory = memory;
  }

  public boolean isElsewhere(Claim claim) {
    return NodeRules.isElsewhere(claim, instance);
  }

  public NodeRules.Responsibility decideResponsibility(Claim claim, StorageClass storageClass) {
    return NodeRules.decideResponsibility(claim, storageClass, instance);
  }

  public Outcome compete(Claim claim, StorageClass storageClass, String volumeName)
      throws InterruptedException {
    return election.compete(new Order(volumeName, claim, storageClass, instance.node()));
  }

  public void forget(Uid claim) {
    election.forget(claim);
  }

  public Optional<Outcome> checkOwnership(Volume volume) throws InterruptedException {
    if (memory.isElsewhere(volume)) {
      return Optional.of(Outcome.SETTLED);
    }
    if (!VolumeRules.isToBeDestroyed(volume)) {
      return Optional.empty();
    }
    return switch (storage.locate(volume)) {
      case HERE -> Optional.empty();
      case ELSEWHERE -> {
        memory.addElsewhere(volume);
        yield Optional.of(Outcome.SETTLED);
      }
      case UNKNOWN ->
          Optional.of(new Outcome.Retry(new Failure.Unreachable(describeUnknown(volume))));
      case UNANSWERED ->
          Optional.of(
              new Outcome.Unanswered(describeUnknown(volume) + ": the API server did not answer"));
    };
  }

  private String describeUnknown(Volume volume) {
    return "whether volume %s is on node %s is unknown"
        .formatted(volume.meta().name(), instance.node());
  }
}
