package dev.mooring.attachdetach.decide;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One node as far as it concerns one volume.
 *
 * @param node its name
 * @param wanted whether a pod there uses the volume
 * @param held whether the volume is attached there
 * @param running what is being done about it
 * @param inUse whether the node reports that it uses the volume
 * @param trace what tells that the node has it
 * @param state how the node is
 * @param outOfService whether somebody declared it dead by the taint
 * @param provenDead whether it was found dead by evidence
 * @param unwantedFor for how long it has held the volume without need; null if that is news
 * @param failures how many attaches there failed in a row
 */
public record NodeView(
    String node,
    boolean wanted,
    Held held,
    Running running,
    boolean inUse,
    Trace trace,
    State state,
    boolean outOfService,
    boolean provenDead,
    @Nullable Duration unwantedFor,
    int failures) {
  /** After so many failures another node that waits has its turn. */
  public static final int ROUND = 3;

  /** Whether a volume is attached. */
  public enum Held {
    NO,
    /** It may be: an attempt has begun, or failed in a way that leaves it open. */
    PERHAPS,
    YES
  }

  /** What is being done. */
  public enum Running {
    NOTHING,
    ATTACH,
    DETACH
  }

  /** How a node is. */
  public enum State {
    READY,
    /** It says so, or has not been heard of. */
    NOT_READY,
    /** There is no such node any more. Its machine may live on. */
    GONE,
    /** Its kubelet attaches and detaches volumes itself. */
    UNMANAGED,
    /** Pods are bound to a Node that does not exist and was never seen to be managed. */
    UNMANAGED_GONE
  }

  /** What tells that a node has the volume or uses it. */
  public enum Trace {
    /** An attachment, a list in its status, or a pod. */
    USUAL,
    /** Nothing but its own {@code volumesInUse}. */
    ONLY_IN_USE,
    /**
     * It says that it uses the volume, but its status has not listed the volume since it did not
     * say so. A kubelet mounts nothing else.
     */
    NEVER_LISTED
  }

  /**
   * How many rounds of tries it had in vain. A node that has the volume, or may have it and says
   * that it uses it, gives it to nobody. That it uses it a node says of pods that only wait, too.
   */
  int failedRounds() {
    return held == Held.YES || mayHaveMounted() ? 0 : failures / ROUND;
  }

  /** It may have it, and says that it uses it. */
  boolean mayHaveMounted() {
    return held != Held.NO && inUse && trace != Trace.NEVER_LISTED;
  }

  boolean isUnmanaged() {
    return state == State.UNMANAGED || state == State.UNMANAGED_GONE;
  }

  boolean isGone() {
    return state == State.GONE || state == State.UNMANAGED_GONE;
  }

  boolean isHeld() {
    return held != Held.NO;
  }
}
