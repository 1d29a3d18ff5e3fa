package dev.mooring.manager.shadow.pairing;

import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Intents by the facts that they change. The latest intent of a key counts. Several keys may intend
 * the same fact, for example claims that compete for a volume. Not thread-safe.
 */
final class IntentTable {
  private final Map<FactKey, Set<Intent>> byFact = new HashMap<>();
  private final Set<Intent> open = new LinkedHashSet<>();
  private final Map<String, Set<Intent>> openByKey = new HashMap<>();

  List<Intent> find(FactKey fact) {
    return List.copyOf(byFact.getOrDefault(fact, Set.of()));
  }

  List<Intent> open() {
    return List.copyOf(open);
  }

  /** Returns the open intents of the key that a controller reconciles. */
  List<Intent> openOf(ActionOrigin origin) {
    return List.copyOf(openByKey.getOrDefault(name(origin), Set.of()));
  }

  private static String name(ActionOrigin origin) {
    return origin.controller() + " " + origin.key();
  }

  private void setOpen(Intent intent) {
    open.add(intent);
    openByKey
        .computeIfAbsent(name(intent.write().origin()), key -> new LinkedHashSet<>())
        .add(intent);
  }

  /** Adds a write or notes its repetition. Replaces other intents of the same key and facts. */
  void add(IntendedWrite write, long nanos) {
    Set<Intent> known = new LinkedHashSet<>();
    write.changes().keySet().forEach(fact -> known.addAll(find(fact)));
    for (Intent intent : known) {
      boolean isOfSameKey = name(intent.write().origin()).equals(name(write.origin()));
      if (isOfSameKey && intent.write().hasSameEffect(write)) {
        intent.repeat(write, nanos);
        if (intent.isOpen()) {
          setOpen(intent);
        }
        return;
      }
      if (isOfSameKey && intent.isOpen()) {
        intent.close();
        forget(intent);
      }
    }
    Intent intent = new Intent(write, nanos);
    write
        .changes()
        .keySet()
        .forEach(fact -> byFact.computeIfAbsent(fact, f -> new LinkedHashSet<>()).add(intent));
    setOpen(intent);
  }

  /** Removes the intent from the open ones; its facts stay known until {@link #forget}. */
  void end(Intent intent) {
    open.remove(intent);
    openByKey.computeIfPresent(
        name(intent.write().origin()),
        (key, ofKey) -> {
          ofKey.remove(intent);
          return ofKey.isEmpty() ? null : ofKey;
        });
  }

  void forget(Intent intent) {
    end(intent);
    for (FactKey fact : intent.write().changes().keySet()) {
      byFact.computeIfPresent(
          fact,
          (key, ofFact) -> {
            ofFact.remove(intent);
            return ofFact.isEmpty() ? null : ofFact;
          });
    }
  }

  List<Intent> withdrawnBefore(long nanos) {
    return byFact.values().stream()
        .flatMap(Set::stream)
        .filter(intent -> !intent.isOpen() && !intent.isClosed())
        .filter(intent -> intent.lastNanos() - nanos < 0)
        .distinct()
        .toList();
  }
}
