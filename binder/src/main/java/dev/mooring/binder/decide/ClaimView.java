package dev.mooring.binder.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * A claim and what its fate depends on, besides the volumes.
 *
 * @param claim the claim
 * @param storageClass the class that it names, if it names one that exists
 * @param defaultClass the class that claims without one get, "" for none
 * @param waitingPods names of the pods that use the claim and are not scheduled yet
 * @param provisioning who would make a volume of the claim's class
 * @param nodeIsGone whether a node was chosen for the claim that is not known
 * @param live what the server has said past the caches
 */
public record ClaimView(
    Claim claim,
    Optional<StorageClass> storageClass,
    String defaultClass,
    List<String> waitingPods,
    Provisioning provisioning,
    boolean nodeIsGone,
    LiveFacts live) {
  /** As the caches know it: the server was not asked. */
  public ClaimView(
      Claim claim,
      Optional<StorageClass> storageClass,
      String defaultClass,
      List<String> waitingPods,
      Provisioning provisioning,
      boolean nodeIsGone) {
    this(claim, storageClass, defaultClass, waitingPods, provisioning, nodeIsGone, LiveFacts.NONE);
  }

  /** The same, with what the server has said. */
  public ClaimView with(LiveFacts said) {
    return new ClaimView(
        claim, storageClass, defaultClass, waitingPods, provisioning, nodeIsGone, said);
  }

  /** Who makes volumes of a class. */
  public sealed interface Provisioning {
    /** A plugin of ours. */
    record ByPlugin(String name) implements Provisioning {}

    /** Somebody else, who watches for claims that carry this name. */
    record ByOthers(String name) implements Provisioning {}

    /** Nobody can; why. */
    record ByNobody(String why) implements Provisioning {}
  }

  /** Whether binding waits for a pod. */
  public boolean isDelayed() {
    return storageClass
        .map(c -> c.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
        .orElse(false);
  }
}
