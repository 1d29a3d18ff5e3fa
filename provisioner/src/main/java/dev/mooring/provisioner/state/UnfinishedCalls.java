package dev.mooring.provisioner.state;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Claims for which an earlier call may have created a volume. Thread-safe. */
public final class UnfinishedCalls {
  private final Map<Uid, Claim> claims = new ConcurrentHashMap<>();
  // because the class may be deleted before the outcome is known
  private final Map<Uid, StorageClass> lastClasses = new ConcurrentHashMap<>();

  UnfinishedCalls() {}

  public boolean contains(Uid claim) {
    return claims.containsKey(claim);
  }

  public Optional<Claim> find(Uid claim) {
    return Optional.ofNullable(claims.get(claim));
  }

  public List<Claim> listClaims() {
    return List.copyOf(claims.values());
  }

  public void add(Claim claim) {
    claims.put(claim.meta().uid(), claim);
  }

  public void addIfAbsent(Claim claim) {
    claims.putIfAbsent(claim.meta().uid(), claim);
  }

  /** Records that certainly no volume remains of earlier calls, or that it is saved. */
  public void remove(Uid claim) {
    claims.remove(claim);
  }

  public void recordCall(Claim claim, StorageClass storageClass) {
    lastClasses.put(claim.meta().uid(), storageClass);
  }

  public Optional<StorageClass> lastClass(Uid claim) {
    return Optional.ofNullable(lastClasses.get(claim));
  }

  void forget(Uid claim) {
    claims.remove(claim);
    lastClasses.remove(claim);
  }
}
