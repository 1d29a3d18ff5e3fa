package dev.mooring.manager.shadow.pairing;

import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Last ended reconcile of each controller and key. Takes 40 bytes for each, because a large cluster
 * has hundreds of thousands; a key is represented by 64 bits of its hash. Not thread-safe.
 */
final class EvidenceTable {
  record EndedReconcile(ActionOrigin origin, long startNanos) {}

  private record Verdict(String controller, String decision, String reason) {}

  private static final int INITIAL_CAPACITY = 1 << 10; // a power of two
  private static final long EMPTY = 0;

  private final Map<Verdict, Integer> verdictIds = new HashMap<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final Map<String, Integer> controllers = new LinkedHashMap<>();
  private long[] slots = new long[INITIAL_CAPACITY];
  private long[] starts = new long[INITIAL_CAPACITY];
  private int[] verdictOfSlot = new int[INITIAL_CAPACITY];
  private int size;

  void put(ActionOrigin origin, long startNanos) {
    Verdict verdict = new Verdict(origin.controller(), origin.decision(), origin.reason());
    int id =
        verdictIds.computeIfAbsent(
            verdict,
            added -> {
              verdicts.add(added);
              return verdicts.size() - 1;
            });
    int controller = controllers.computeIfAbsent(origin.controller(), c -> controllers.size());
    if (size >= slots.length / 2) {
      grow();
    }
    put(hash(origin.key(), controller), startNanos, id);
  }

  private void put(long hash, long startNanos, int verdict) {
    int index = find(hash);
    if (slots[index] == EMPTY) {
      size++;
    }
    slots[index] = hash;
    starts[index] = startNanos;
    verdictOfSlot[index] = verdict;
  }

  List<EndedReconcile> find(String key) {
    List<EndedReconcile> found = new ArrayList<>();
    for (int controller : controllers.values()) {
      int index = find(hash(key, controller));
      if (slots[index] != EMPTY) {
        Verdict verdict = verdicts.get(verdictOfSlot[index]);
        found.add(
            new EndedReconcile(
                new ActionOrigin(verdict.controller(), key, verdict.decision(), verdict.reason()),
                starts[index]));
      }
    }
    return found;
  }

  void remove(String key) {
    for (int controller : controllers.values()) {
      int index = find(hash(key, controller));
      if (slots[index] != EMPTY) {
        removeAt(index);
      }
    }
  }

  // Later entries of the same run move up, so that a search still finds them.
  private void removeAt(int removed) {
    slots[removed] = EMPTY;
    size--;
    for (int i = next(removed); slots[i] != EMPTY; i = next(i)) {
      long hash = slots[i];
      long start = starts[i];
      int verdict = verdictOfSlot[i];
      slots[i] = EMPTY;
      size--;
      put(hash, start, verdict);
    }
  }

  private int next(int index) {
    return (index + 1) & (slots.length - 1);
  }

  private int find(long hash) {
    int index = (int) (hash ^ hash >>> 32) & (slots.length - 1);
    while (slots[index] != EMPTY && slots[index] != hash) {
      index = next(index);
    }
    return index;
  }

  private void grow() {
    long[] oldSlots = slots;
    long[] oldStarts = starts;
    int[] oldVerdicts = verdictOfSlot;
    slots = new long[oldSlots.length * 2];
    starts = new long[oldSlots.length * 2];
    verdictOfSlot = new int[oldSlots.length * 2];
    size = 0;
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldSlots[i] != EMPTY) {
        put(oldSlots[i], oldStarts[i], oldVerdicts[i]);
      }
    }
  }

  private static long hash(String key, int controller) {
    long hash = controller + 1;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return hash == EMPTY ? 1 : hash;
  }
}
