package dev.mooring.manager.shadow.pairing;

import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Intents by the facts that they change; the latest one of a fact counts. Not thread-safe. */
final class IntentTable {
  private final Map<FactKey, Intent> byFact = new HashMap<>();
  private final Set<Intent> open = new LinkedHashSet<>();
  private final Map<String, Set<Intent>> openByKey = new HashMap<>();

  @Nullable Intent find(FactKey fact) {
    return byFact.get(fact);
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

  /**
   * Adds a write or notes its repetition.
   *
   * @return intents that the write replaces
   */
  List<Intent> add(IntendedWrite write, long nanos) {
    List<Intent> replaced = new ArrayList<>();
    for (FactKey fact : write.changes().keySet()) {
      Intent known = byFact.get(fact);
      if (known != null && known.write().hasSameEffect(write)) {
        end(known); // another key may intend it now
        known.repeat(write, nanos);
        if (known.isOpen()) {
          setOpen(known);
        }
        return List.of();
      }
      if (known != null && known.isOpen()) {
        replaced.add(known);
      }
    }
    Intent intent = new Intent(write, nanos);
    write.changes().keySet().forEach(fact -> byFact.put(fact, intent));
    setOpen(intent);
    replaced.forEach(old -> {
      old.close();
      end(old);
    });
    return replaced;
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
    intent.write().changes().keySet().forEach(fact -> byFact.remove(fact, intent));
  }

  List<Intent> withdrawnBefore(long nanos) {
    return byFact.values().stream()
        .filter(intent -> !intent.isOpen() && !intent.isClosed())
        .filter(intent -> intent.lastNanos() - nanos < 0)
        .distinct()
        .toList();
  }
}
