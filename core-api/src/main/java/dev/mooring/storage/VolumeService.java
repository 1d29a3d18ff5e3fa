package dev.mooring.storage;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.workqueue.LaneGate;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Provisions and deletes volumes for callers that follow the external-provisioner protocol.
 * Thread-safe; calls block. For one claim or volume, calls never overlap, but may be repeated after
 * a crash: they are idempotent by volume name.
 */
public interface VolumeService {
  /**
   * Finalizer of claims: a volume may be in creation. The provisioner adds it before it calls the
   * storage, and removes it when the volume is saved or certainly absent. The binder removes it
   * with its own write if no call is running ({@link SavedVolumes}).
   */
  String BEING_MADE = "mooring.dev/volume-being-made";

  /**
   * Annotation of claims with this finalizer: names of the provisioners whose storage may have been
   * called, separated by commas. A claim's class and provisioner may change later.
   */
  String BEING_MADE_BY = "mooring.dev/volume-being-made-by";

  Set<String> provisionerNames();

  /**
   * Returns provisioner names of classes and volumes that this service took over from another
   * provisioner. Claims still name one of {@link #provisionerNames}. Constant.
   */
  default Set<String> inheritedNames() {
    return Set.of();
  }

  /**
   * Returns whether the storage accepts calls. A caller waits for the ready callback instead of
   * retrying.
   */
  boolean isReady();

  /**
   * Returns the gate of the queue of claims, if the storage limits the rate of provisioning. One
   * queue uses it.
   */
  default <K> Optional<LaneGate<K>> provisionGate() {
    return Optional.empty();
  }

  default <K> Optional<LaneGate<K>> destroyGate() {
    return Optional.empty();
  }

  boolean supportsBlockVolumes();

  /**
   * Returns whether provisioning for the class depends on arbitrary labels or annotations of the
   * claim. Caches drop most of them, and reading them costs one request per claim.
   */
  default boolean needsFullClaims(StorageClass storageClass) {
    return true;
  }

  /**
   * Returns whether provisioning depends on the selected node's labels or annotations. Reading them
   * costs one request per claim.
   */
  default boolean needsNodes() {
    return false;
  }

  /**
   * Prepares the call to the storage without making it. If no call results, this plan has certainly
   * started nothing and the claim needs no finalizer.
   */
  Plan plan(Order order) throws InterruptedException;

  default void forget(Uid claim) {}

  /**
   * Returns the kind of the object from which the claim's last plan fills the volume, for metrics.
   *
   * @return "" if there is none, or if it is unknown
   */
  default String sourceKind(Uid claim) {
    return "";
  }

  /**
   * Checks whether this service serves a volume that names one of its provisioners.
   *
   * @return {@link DestroyResult.NotResponsible} if another provisioner of the same name serves it,
   *     another result if that is unknown, never {@link DestroyResult.Destroyed}; empty if this
   *     service serves it
   */
  default Optional<DestroyResult> checkService(Volume volume) {
    return Optional.empty();
  }

  /**
   * Prepares the deletion of a volume's storage: checks preconditions and reads, for example,
   * Secrets, which may take long. Deletes nothing. The caller deletes the object.
   */
  DestroyPlan planDestruction(Volume volume) throws InterruptedException;

  /**
   * Order of a volume.
   *
   * @param selectedNode name of the node that the scheduler selected; null if none
   * @param node that node as of this attempt; null if none was selected or read
   */
  record Order(
      String volumeName,
      Claim claim,
      StorageClass storageClass,
      @Nullable String selectedNode,
      @Nullable Node node) {
    public Order(
        String volumeName, Claim claim, StorageClass storageClass, @Nullable String selectedNode) {
      this(volumeName, claim, storageClass, selectedNode, null);
    }

    public Order withClaim(Claim newClaim) {
      return new Order(volumeName, newClaim, storageClass, selectedNode, node);
    }

    public Order withNode(@Nullable Node newNode) {
      return new Order(volumeName, claim, storageClass, selectedNode, newNode);
    }

    /**
     * Returns whether the claim still needs the volume. If it does not, the order only completes an
     * earlier call that may have provisioned it: the claim is being deleted or has another volume.
     */
    public boolean isWanted() {
      return !claim.meta().isBeingDeleted() && claim.volumeName().isEmpty();
    }
  }

  sealed interface Plan {
    record Ready(Call call) implements Plan {}

    /** Another provisioner is responsible; not an error. */
    record NotResponsible(String reason) implements Plan {}

    /** The storage can never be called for this claim, class and storage. */
    record Impossible(String reason) implements Plan {}

    /** The storage cannot be called at the moment. */
    record Blocked(ProvisionResult.Failed reason) implements Plan {}

    /**
     * The API server did not answer a read that the call needs. An earlier call may still be
     * running, as with {@link State#UNCHANGED}.
     */
    record Unknown(String reason) implements Plan {}

    /** Another writer changed an object that the call needs: plan again soon. Not an error. */
    record Conflicted(String reason) implements Plan {}
  }

  @FunctionalInterface
  interface Call {
    ProvisionResult run() throws InterruptedException;
  }

  sealed interface ProvisionResult {
    /**
     * The volume exists in the storage.
     *
     * @param object spec and annotations of the PersistentVolume, as far as the storage decides
     *     them
     * @param rollback deletes the volume if it cannot be saved
     */
    record Created(Document object, Rollback rollback) implements ProvisionResult {}

    /**
     * The volume exists but does not satisfy the request. It must be deleted, unless an earlier
     * usable answer has been saved.
     *
     * @param message human-readable
     * @param rollback deletes the volume
     */
    record Unusable(String message, Rollback rollback) implements ProvisionResult {}

    /**
     * The volume does not exist, or its existence is unknown.
     *
     * @param state what the storage may still be doing
     * @param isInfeasible whether an early retry is useless
     * @param message human-readable
     */
    record Failed(State state, boolean isInfeasible, String message) implements ProvisionResult {}
  }

  enum State {
    /**
     * No call for this volume is running, and this call created nothing. Does not settle an earlier
     * unknown result.
     */
    FINISHED,
    /** This call created nothing; the result of an earlier call stays unknown. */
    ENDED,
    /** The call may still be running; it must be repeated with the same arguments. */
    BACKGROUND,
    /** The storage was not called; an earlier call may still be running. */
    UNCHANGED,
    /** Same as {@link #ENDED}; another node should be selected. */
    RESCHEDULE,
    /** Same as {@link #FINISHED} on this node; another node should be selected. */
    NOT_HERE,
    /** Same as {@link #NOT_HERE}; the other node has separate storage. */
    NODE_FULL
  }

  @FunctionalInterface
  interface Rollback {
    /** Deletes the volume; may be repeated. */
    DestroyResult run() throws InterruptedException;
  }

  sealed interface DestroyPlan {
    record Ready(DestroyCall call) implements DestroyPlan {}

    /** The call cannot be made; never {@link DestroyResult.Destroyed}. */
    record Blocked(DestroyResult reason) implements DestroyPlan {}
  }

  @FunctionalInterface
  interface DestroyCall {
    /** Deletes the storage; may be repeated. */
    DestroyResult run() throws InterruptedException;
  }

  sealed interface DestroyResult {
    record Destroyed() implements DestroyResult {
      @Override
      public String toString() {
        return "deleted";
      }
    }

    record NotResponsible(String reason) implements DestroyResult {
      @Override
      public String toString() {
        return reason;
      }
    }

    record Failed(String message) implements DestroyResult {
      @Override
      public String toString() {
        return message;
      }
    }

    /** The deletion was not attempted, because the API server did not answer a read. */
    record Unknown(String reason) implements DestroyResult {
      @Override
      public String toString() {
        return reason;
      }
    }
  }
}
