package dev.mooring.storage;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes and destroys volumes for those who follow the external-provisioner protocol: the service
 * knows the storage, its caller the protocol. Thread-safe; the calls block, for one claim or volume
 * never twice at once, and may come again after a crash: a volume's name is what they are
 * idempotent by.
 */
public interface VolumeService {
  /**
   * Finalizer of claims: a volume may be being made for it. Who makes it puts it there before the
   * storage is asked, and takes it away when the volume is saved, or certainly not there; whoever
   * binds the claim takes it away with that, if nobody asks any more ({@link SavedVolumes}).
   */
  String BEING_MADE = "mooring.dev/volume-being-made";

  /** The provisioner names that it answers for. Never change. */
  Set<String> names();

  /**
   * The provisioner names of classes, and of volumes, that were another's before its work moved
   * here. Claims name one of {@link #names} nevertheless. Never change.
   */
  default Set<String> inheritedNames() {
    return Set.of();
  }

  /**
   * Whether the storage can be asked at this moment. Whoever finds that it cannot waits to be woken
   * instead of trying.
   */
  boolean isReady();

  /** Whether it makes block volumes. */
  boolean makesBlockVolumes();

  /**
   * Whether what is made for claims of the class depends on any label or annotation that a claim
   * may have. Caches keep few of them, and to ask for the others costs a request for each claim.
   */
  default boolean readsWholeClaims(StorageClass storageClass) {
    return true;
  }

  /**
   * Finds out what the storage has to be asked for, without asking it. What comes to nothing here
   * was certainly not begun by this plan, and needs no note on the claim.
   */
  Plan plan(Order order) throws InterruptedException;

  /**
   * Nobody will ask for the claim's volume before it is another one: nothing need be kept of it.
   */
  default void forget(Uid claim) {}

  /**
   * Prepares to destroy what the volume stands for: checks what forbids it and reads what the call
   * needs, for example Secrets, which may take long. Destroys nothing; the object itself is the
   * caller's.
   */
  Destruction prepare(Volume volume) throws InterruptedException;

  /**
   * What is to be made.
   *
   * @param volumeName the name that the volume will have
   * @param claim for whom
   * @param storageClass of which class
   * @param selectedNode the node that the pod will run on, null if any will do
   */
  record Order(
      String volumeName, Claim claim, StorageClass storageClass, @Nullable String selectedNode) {
    /**
     * Whether somebody is going to use the volume. Else it is only asked for because an earlier
     * call may have made it: its claim is being deleted, or has got another one meanwhile.
     */
    public boolean isWanted() {
      return !claim.meta().isBeingDeleted() && claim.volumeName().isEmpty();
    }
  }

  /** What is to be done about an order. */
  sealed interface Plan {
    /** The storage is to be asked. */
    record Ask(Call call) implements Plan {}

    /** It is left to somebody else; nothing went wrong. */
    record Left(String why) implements Plan {}

    /** It cannot be asked as long as claim, class and storage are what they are. */
    record Never(String why) implements Plan {}

    /** It cannot be asked at the moment. */
    record Not(ProvisionResult.Failed why) implements Plan {}

    /**
     * What it has to be asked for is unknown, because the API server did not say. Whatever was
     * going on before still may, as with {@link State#UNCHANGED}.
     */
    record Unknown(String why) implements Plan {}
  }

  /** Asks the storage. */
  @FunctionalInterface
  interface Call {
    /** Makes the volume, or finds it made. */
    ProvisionResult run() throws InterruptedException;
  }

  /** How provisioning ended. */
  sealed interface ProvisionResult {
    /**
     * The volume is there.
     *
     * @param object the PersistentVolume's spec and annotations as far as the storage decides them
     * @param rollback destroys it again, for when it cannot be saved
     */
    record Made(Document object, Rollback rollback) implements ProvisionResult {}

    /**
     * The volume is there, and is not what was asked for: it is to be destroyed again, unless an
     * earlier answer was good and it has been saved.
     *
     * @param message for people
     * @param rollback destroys it again
     */
    record Unusable(String message, Rollback rollback) implements ProvisionResult {}

    /**
     * It is not there, or not known to be.
     *
     * @param state what may be going on
     * @param infeasible whether asking again soon is pointless
     * @param message for people
     */
    record Failed(State state, boolean infeasible, String message) implements ProvisionResult {}
  }

  /** What may be going on after a failure. */
  enum State {
    /** Nothing by this call, and by none like it. It does not settle an earlier unknown outcome. */
    FINISHED,
    /** This call has made nothing; what an earlier one came to, it does not tell. */
    ENDED,
    /** The storage may still be at it: it has to be asked again, with the same arguments. */
    BACKGROUND,
    /** The storage was not asked: whatever was going on before still may. */
    UNCHANGED,
    /** As {@link #ENDED}, and another node should be tried. */
    RESCHEDULE,
    /** As {@link #FINISHED} on this node, and another one should be tried. */
    NOT_HERE,
    /** As {@link #NOT_HERE}, and the other node has separate storage. */
    NODE_FULL
  }

  /** Destroys again what was made and could not be saved. */
  @FunctionalInterface
  interface Rollback {
    /** Does so; may be repeated. */
    Destroying run() throws InterruptedException;
  }

  /** What {@link #prepare} came to. */
  sealed interface Destruction {
    /** Everything is read: the call reads nothing more before it asks the storage. */
    record Ready(DestroyCall call) implements Destruction {}

    /** The storage is not asked; never {@link Destroying.Destroyed}. */
    record Not(Destroying why) implements Destruction {}
  }

  /** Asks the storage to destroy a volume. */
  @FunctionalInterface
  interface DestroyCall {
    /** Destroys it; may be repeated. */
    Destroying run() throws InterruptedException;
  }

  /** How the destroying ended. */
  sealed interface Destroying {
    /** There is nothing left. */
    record Destroyed() implements Destroying {}

    /** This volume is not to be touched, and nothing went wrong. */
    record Left(String why) implements Destroying {}

    /** It may still be there. */
    record Failed(String message) implements Destroying {}

    /** Nothing was tried: what that takes is unknown, because the API server did not say. */
    record Unknown(String why) implements Destroying {}
  }
}
