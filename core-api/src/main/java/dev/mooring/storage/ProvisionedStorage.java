package dev.mooring.storage;

import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.ClaimRef;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * A storage in which volumes are provisioned from here.
 *
 * @param name the name, in logs and metrics, of the controller that provisions in it
 * @param volumes makes and destroys the volumes
 * @param config how claims are provisioned for
 * @param onReady given what is to run whenever the storage can be asked again; that is quick
 * @param onUnblocked given what is to run for a claim for which the storage could not be asked,
 *     when that may have become otherwise by something that is no change of the claim; that is
 *     quick
 * @param attachments those that keep a volume of it from being destroyed, with {@link
 *     Attached#BY_VOLUME}; empty if none does. When the last of a volume has gone its destruction
 *     is tried again at once
 * @param node this instance's node, where each node has an instance of its own
 */
public record ProvisionedStorage(
    String name,
    VolumeService volumes,
    ProvisionConfig config,
    Consumer<Runnable> onReady,
    Consumer<Consumer<ClaimRef>> onUnblocked,
    Optional<Informer<Attachment>> attachments,
    Optional<Node> node) {
  /**
   * One instance of those that each node has.
   *
   * @param name its node
   * @param immediateToo whether it stands for election for claims that nobody selects a node for
   * @param baseDelay how long it waits before it stands for the first time; doubled every time
   * @param maxDelay how long at most
   * @param storage the node's storage
   * @param chance from 0 to 1, another at every call: no two instances are to come at once
   */
  public record Node(
      String name,
      boolean immediateToo,
      Duration baseDelay,
      Duration maxDelay,
      NodeStorage storage,
      DoubleSupplier chance) {}
}
