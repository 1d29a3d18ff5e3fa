package dev.mooring.it.sim;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Content of a {@link Simulation}: the controllers that run, the other actors in the cluster
 * (users, kubelets, drivers), and the invariants. A workload checks its invariants at every write
 * and storage call, after every step, and at the end.
 */
interface Workload {
  /**
   * Probabilities of a schedule's steps.
   *
   * @param steps number of steps before the faults end
   * @param acts number of steps in 10,000 that are {@link #act()}
   * @param crashes number of steps in 10,000 that end a process; three times as many in modes with
   *     late writes
   * @param chain number of queues that must process delayed work one after the other when an outage
   *     ends
   */
  record Pace(int steps, int acts, int crashes, int chain) {}

  Pace pace();

  /** Returns the controllers, plugins and driver of a process that starts. */
  SimProcess.Program program(Object process);

  /** Returns whether two processes may run at once, as if leader election had failed. */
  default boolean mayRunTwice() {
    return false;
  }

  /**
   * Returns whether a standby may miss all watch events of that kind, but receive those of other
   * kinds.
   */
  default boolean mayStandbyMiss(Kind<?> kind) {
    return true;
  }

  /** Returns whether the API server may be restored from a backup. */
  default boolean mayBeRestored() {
    return false;
  }

  /**
   * Called after the API server was restored: objects that were created since the backup no longer
   * exist.
   */
  default void onRestore() {}

  /** Lets one of the other actors take one random step. */
  void act();

  /** Lets the other actors act during an outage of the API server. */
  default void actInOutage() {}

  /**
   * Lets all other actors finish their pending work without faults.
   *
   * @return whether there was any work
   */
  boolean finishOtherWork();

  /** Checks the invariants that must be true after every step. */
  default void check() {}

  /** Called when the faults end. */
  default void onFaultsEnd() {}

  /**
   * Returns the fault of a call.
   *
   * @param request the write to the API server; "" for reads and calls to the storage
   * @param drawn the random fault, which the workload may replace
   */
  default CallFault chooseFault(String request, CallFault drawn) {
    return drawn;
  }

  /**
   * Called before a process's write reaches the API server. The workload may let another client
   * write the object first.
   */
  default void beforeWrite(Kind<?> kind, ObjectKey key) {}

  /** Called before a process reads an object. The workload may bring the object up to date. */
  default void beforeRead(Kind<?> kind, ObjectKey key) {}

  /** Returns whether the controllers run with {@code --failover=evidence}. */
  default boolean failsOverByEvidence() {
    return false;
  }

  /**
   * Fault: the API server answers a read of that kind slowly.
   *
   * @param nanos lets that many nanoseconds pass while other threads run; may be called several
   *     times
   */
  default void readSlowly(Kind<?> kind, LongConsumer nanos) {}

  /**
   * Checks the invariants of a write that the API server accepted. {@code previous} is null if the
   * object did not exist.
   */
  <T extends Resource> void onWrite(T previous, WriteResult<T> result);

  /** Called with every Kubernetes event of the controllers. */
  default void onEvent(ClusterEvent event) {}

  /**
   * Called when a process has crashed or stopped. Its memory is lost, and another process starts.
   */
  default void onProcessEnd() {}

  /** Ends the faults, lets the controllers finish, and checks the final state. */
  void finish();

  /** Returns how often the situations occurred for which the workload exists. */
  Map<String, Long> occurrences();

  /**
   * Returns the minimum average per schedule of some {@link #occurrences()}. Fewer occurrences
   * would prove nothing.
   */
  Map<String, Double> minimumOccurrences();
}
