package dev.mooring.storage;

import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.ClaimRef;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.LaneGate;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Storage in which Mooring provisions volumes.
 *
 * @param name name of the provisioning controller in logs and metrics
 * @param volumes provisions and deletes volumes
 * @param onReady registers a callback that runs whenever the storage becomes ready; the callback is
 *     quick
 * @param onUnblocked registers a callback for claims that were blocked; it runs when the cause may
 *     have gone without a change of the claim; the callback is quick
 * @param attachments attachments that prevent a volume's deletion, with {@link
 *     AttachmentIndex#BY_VOLUME}; empty if none do. The deletion is retried as soon as the last
 *     attachment has gone
 * @param node this instance's node, if each node has an instance
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
   * Creates a queue of objects of this storage.
   *
   * @param objects plural name of the objects, for metrics
   * @param ownerOf returns the owner of a key, see {@link WorkQueue#fair}
   * @param gate admits the keys; empty if the storage accepts any number of calls
   */
  public <K> WorkQueue<K> createQueue(
      String objects, Time time, Function<K, Object> ownerOf, Optional<LaneGate<K>> gate) {
    String queue = name + "-" + objects;
    Backoff<K> backoff = new Backoff<>(config.firstRetry(), config.lastRetry());
    return gate.isPresent()
        ? WorkQueue.gated(queue, time, backoff, ownerOf, gate.get())
        : WorkQueue.fair(queue, time, backoff, ownerOf);
  }

  /**
   * Instance of a node-local provisioner.
   *
   * @param name name of the node
   * @param acceptsImmediate whether the instances compete for claims without a selected node
   * @param baseDelay delay before the first attempt to win such a claim; doubles with each attempt
   * @param maxDelay longest delay
   * @param storage the node's storage
   * @param random random number from 0 to 1, so that instances do not compete at the same time
   */
  public record Node(
      String name,
      boolean acceptsImmediate,
      Duration baseDelay,
      Duration maxDelay,
      NodeStorage storage,
      DoubleSupplier random) {}
}
