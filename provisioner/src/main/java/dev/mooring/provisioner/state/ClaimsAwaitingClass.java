package dev.mooring.provisioner.state;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that wait for a change of their class. Thread-safe.
 *
 * @param <K> identity of a claim
 */
public final class ClaimsAwaitingClass<K> {
  private final Map<String, Set<K>> byClass = new ConcurrentHashMap<>();

  public ClaimsAwaitingClass() {}

  public Set<K> of(String className) {
    return byClass.getOrDefault(className, Set.of());
  }

  public void add(String className, K claim) {
    byClass.compute(
        className,
        (name, before) -> {
          Set<K> claims = before == null ? ConcurrentHashMap.newKeySet() : before;
          claims.add(claim);
          return claims;
        });
  }

  public void remove(String className, K claim) {
    byClass.computeIfPresent(
        className,
        (name, claims) -> {
          claims.remove(claim);
          return claims.isEmpty() ? null : claims;
        });
  }
}
