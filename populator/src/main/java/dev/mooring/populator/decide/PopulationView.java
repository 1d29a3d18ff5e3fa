package dev.mooring.populator.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Facts about one population.
 *
 * @param key namespace and name of the user's claim
 * @param uid uid of the claim that the population is for. It differs from the claim's uid if an
 *     earlier claim of that name left a prime claim
 * @param claim the user's claim as cached
 * @param prime claim with the name of the prime claim, whoever created it
 * @param volume volume of the prime claim as cached
 * @param storageClass class of the user's claim
 * @param pod pod with the name of the populator pod, as read live
 * @param isFilled whether the populator has just said that the volume is complete
 * @param restartDelay remaining back-off after a failed pod
 * @param decisionTime time of the decision
 * @param settings settings of the controller
 */
public record PopulationView(
    ObjectKey key,
    Uid uid,
    Optional<Claim> claim,
    Optional<Claim> prime,
    Optional<Volume> volume,
    Optional<StorageClass> storageClass,
    Fact<FillPod> pod,
    boolean isFilled,
    Duration restartDelay,
    Instant decisionTime,
    Settings settings) {
  /**
   * Settings that concern the claim.
   *
   * @param namespace namespace of prime claims; "" if none is configured
   * @param acrossNamespaces whether claims may name data sources in other namespaces
   * @param isServed whether a plugin has a populator for the kind of the claim's data source
   */
  public record Settings(String namespace, boolean acrossNamespaces, boolean isServed) {}

  public ObjectKey primeKey() {
    return ObjectKey.of(settings.namespace(), PopulatorMarks.primeName(uid));
  }

  public ObjectKey podKey() {
    return ObjectKey.of(settings.namespace(), PopulatorMarks.podName(uid));
  }

  public Optional<Claim> ownPrime() {
    return prime.filter(p -> PopulatorMarks.isPrimeOf(p, key, uid));
  }

  public boolean needsPod() {
    return !settings.namespace().isEmpty()
        && (ownPrime().isPresent() || claim.filter(PopulatorMarks::isHeld).isPresent());
  }

  public PopulationView withPod(Fact<FillPod> newPod) {
    return new PopulationView(
        key,
        uid,
        claim,
        prime,
        volume,
        storageClass,
        newPod,
        isFilled,
        restartDelay,
        decisionTime,
        settings);
  }

  public PopulationView withFilledVolume() {
    return new PopulationView(
        key,
        uid,
        claim,
        prime,
        volume,
        storageClass,
        pod,
        true,
        restartDelay,
        decisionTime,
        settings);
  }
}
