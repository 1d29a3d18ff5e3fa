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
  private final Map<FactKey, Set<WriteIntent>> byFact = new HashMap<>();
  private final Set<WriteIntent> open = new LinkedHashSet<>();
  private final Map<String, Set<WriteIntent>> openByKey = new HashMap<>();

  List<WriteIntent> find(FactKey fact) {
    return List.copyOf(byFact.getOrDefault(fact, Set.of()));
  }

  List<WriteIntent> open() {
    return List.copyOf(open);
  }

  List<WriteIntent> openOf(ActionOrigin origin) {
    return List.copyOf(openByKey.getOrDefault(name(origin), Set.of()));
  }

  private static String name(ActionOrigin origin) {
    return origin.controller() + " " + origin.key();
  }

  private void setOpen(WriteIntent intent) {
    open.add(intent);
    openByKey
        .computeIfAbsent(name(intent.write().origin()), key -> new LinkedHashSet<>())
        .add(intent);
  }

  void add(IntendedWrite write, long nanos) {
    Set<WriteIntent> intentsOfWrite = new LinkedHashSet<>();
    write.changes().keySet().forEach(fact -> intentsOfWrite.addAll(find(fact)));
    for (WriteIntent intent : intentsOfWrite) {
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
    WriteIntent intent = new WriteIntent(write, nanos);
    write
        .changes()
        .keySet()
        .forEach(fact -> byFact.computeIfAbsent(fact, f -> new LinkedHashSet<>()).add(intent));
    setOpen(intent);
  }

  void end(WriteIntent intent) {
    open.remove(intent);
    openByKey.computeIfPresent(
        name(intent.write().origin()),
        (key, ofKey) -> {
          ofKey.remove(intent);
          return ofKey.isEmpty() ? null : ofKey;
        });
  }

  void forget(WriteIntent intent) {
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

  List<WriteIntent> withdrawnBefore(long nanos) {
    return byFact.values().stream()
        .flatMap(Set::stream)
        .filter(intent -> !intent.isOpen() && !intent.isClosed())
        .filter(intent -> intent.lastNanos() - nanos < 0)
        .distinct()
        .toList();
  }
}
