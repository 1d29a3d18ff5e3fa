package dev.mooring.binder.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * Claim with everything that its decision depends on, except the volumes.
 *
 * @param storageClass the class that the claim names, if it exists
 * @param defaultClass name of the default class; "" if there is none
 * @param waitingPods names of the pods that use the claim and are not scheduled
 * @param isNodeGone whether the selected node is unknown
 * @param live answers of the API server
 */
public record ClaimView(
    Claim claim,
    Optional<StorageClass> storageClass,
    String defaultClass,
    List<String> waitingPods,
    Provisioning provisioning,
    boolean isNodeGone,
    LiveFacts live) {
  public ClaimView(
      Claim claim,
      Optional<StorageClass> storageClass,
      String defaultClass,
      List<String> waitingPods,
      Provisioning provisioning,
      boolean isNodeGone) {
    this(claim, storageClass, defaultClass, waitingPods, provisioning, isNodeGone, LiveFacts.NONE);
  }

  public ClaimView with(LiveFacts answers) {
    return new ClaimView(
        claim, storageClass, defaultClass, waitingPods, provisioning, isNodeGone, answers);
  }

  public sealed interface Provisioning {
    record ByPlugin(String name) implements Provisioning {}

    record ByOthers(String name) implements Provisioning {}

    record Unserved(String reason) implements Provisioning {}
  }

  public boolean isDelayed() {
    return storageClass
        .map(c -> c.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
        .orElse(false);
  }
}
