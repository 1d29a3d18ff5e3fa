package dev.mooring.populator.state;

import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.live.Fact;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.PopulationView;
import dev.mooring.populator.decide.PopulationView.Settings;
import dev.mooring.populator.decide.PopulatorMarks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds views of populations from the caches. Thread-safe. */
public final class PopulationViews {
  private static final Index<Claim, ObjectKey> BY_ORIGINAL =
      new Index<>(
          "prime claims by user's claim",
          claim -> PopulatorMarks.findOriginal(claim).stream().toList());

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<StorageClass> classes;
  private final LoadedPopulators populators;
  private final String namespace;
  private final boolean acrossNamespaces;

  public PopulationViews(
      SharedInformers informers,
      LoadedPopulators populators,
      String namespace,
      boolean acrossNamespaces) {
    this.claims = informers.of(Kind.CLAIM, BY_ORIGINAL);
    this.volumes = informers.of(Kind.VOLUME);
    this.classes = informers.of(Kind.STORAGE_CLASS);
    this.populators = populators;
    this.namespace = namespace;
    this.acrossNamespaces = acrossNamespaces;
  }

  public Informer<Claim> claims() {
    return claims;
  }

  public Informer<Volume> volumes() {
    return volumes;
  }

  public Informer<StorageClass> classes() {
    return classes;
  }

  public static boolean isConcerned(Claim claim) {
    DataSourceRef source = claim.dataSourceRef();
    return PopulatorMarks.isHeld(claim) || source != null && source.needsPopulator();
  }

  public Optional<ObjectKey> findOriginal(Claim claim) {
    return claim.key().namespace().equals(namespace)
        ? PopulatorMarks.findOriginal(claim)
        : Optional.empty();
  }

  public Optional<ObjectKey> findPopulation(Volume volume) {
    ClaimRef ref = volume.claimRef();
    if (ref == null) {
      return Optional.empty();
    }
    Optional<Claim> claim = claims.get(ref.claim());
    return claim
        .flatMap(this::findOriginal)
        .or(() -> claim.filter(PopulationViews::isConcerned).map(Claim::key));
  }

  public List<ObjectKey> listUnbound() {
    List<ObjectKey> keys = new ArrayList<>();
    for (Claim claim : claims.snapshot().objects()) {
      if (isConcerned(claim) && claim.volumeName().isEmpty()) {
        keys.add(claim.key());
      }
    }
    return keys;
  }

  /**
   * Returns the view of one population: of a prime claim that an earlier claim of the name left, or
   * of the claim; empty if there is neither.
   */
  public Optional<PopulationView> buildView(
      ObjectKey key, Instant now, RestartDelays restartDelays) {
    Optional<Claim> claim = claims.get(key);
    Uid claimUid = claim.map(c -> c.meta().uid()).orElse(Uid.NONE);
    Optional<Uid> leftUid =
        findPrimes(key).stream()
            .map(PopulatorMarks::uidOf)
            .filter(uid -> !uid.equals(claimUid))
            .findFirst();
    return claim.isEmpty() && leftUid.isEmpty()
        ? Optional.empty()
        : Optional.of(buildView(key, leftUid.orElse(claimUid), claim, now, restartDelays));
  }

  private List<Claim> findPrimes(ObjectKey key) {
    List<Claim> primes = new ArrayList<>();
    for (Claim prime : claims.findByIndex(BY_ORIGINAL, key)) {
      if (prime.key().namespace().equals(namespace)) {
        primes.add(prime);
      }
    }
    return primes;
  }

  private PopulationView buildView(
      ObjectKey key, Uid uid, Optional<Claim> claim, Instant now, RestartDelays restartDelays) {
    Optional<Claim> prime = claims.get(ObjectKey.of(namespace, PopulatorMarks.primeName(uid)));
    Optional<Volume> volume =
        prime
            .or(() -> claim)
            .filter(c -> !c.volumeName().isEmpty())
            .flatMap(c -> volumes.get(ObjectKey.cluster(c.volumeName())));
    Duration restartDelay = restartDelays.remaining(uid);
    return new PopulationView(
        key,
        uid,
        claim,
        prime,
        volume,
        claim
            .filter(c -> !c.className().isEmpty())
            .flatMap(c -> classes.get(ObjectKey.cluster(c.className()))),
        new Fact.NotAsked<>(),
        false,
        restartDelay,
        now,
        new Settings(namespace, acrossNamespaces, claim.filter(this::isServed).isPresent()));
  }

  private boolean isServed(Claim claim) {
    DataSourceRef source = claim.dataSourceRef();
    return source != null && populators.find(source).isPresent();
  }
}
