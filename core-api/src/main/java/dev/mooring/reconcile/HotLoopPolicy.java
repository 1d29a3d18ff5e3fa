package dev.mooring.reconcile;

import dev.mooring.time.DoublingDelay;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Detects hot loops and returns their delay. Not thread-safe.
 *
 * <p>A key is hot if back-off and periodic checks cannot explain its activity within a minute: the
 * number of its reconciles, of equal writes, or of equal reads. Each external change raises these
 * limits. A key that an external change queued never waits. The delay doubles as long as a hot key
 * repeats the act that exceeded its limit.
 *
 * <p>Memory is bounded: the policy keeps only keys that were active within the last minute or are
 * hot, up to a maximum.
 *
 * @param <K> type of the key
 */
final class HotLoopPolicy<K> {
  record Limits(int reconciles, int writes, int reads) {
    /** Back-off alone causes at most 15 of each per minute, a check every second 60. */
    static final Limits DEFAULTS = new Limits(600, 30, 120);
  }

  record Finding(
      int reconciles,
      int externalChanges,
      String mostFrequentAct,
      int repetitions,
      Duration period) {}

  static final Duration WINDOW = Duration.ofMinutes(1);
  static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  static final Duration LONGEST_DELAY = Duration.ofMinutes(5);
  private static final DoublingDelay BACKOFF = new DoublingDelay(FIRST_DELAY, LONGEST_DELAY);

  // Additional reconciles per external change.
  private static final int RECONCILES_PER_EXTERNAL_CHANGE = 20;

  private static final int REPEATS_PER_EXTERNAL_CHANGE = 4;
  private static final int MAX_KEYS = 10_000;
  private static final int MAX_ACTS = 32;

  // Old keys that are checked per new key; more than one, so that the map shrinks.
  private static final int CHECKED_PER_NEW_KEY = 8;

  private record Act(boolean isWrite, String target, int content) {}

  private static final class State {
    long windowStart;
    int reconciles;
    int externalChanges;
    final Map<Act, Integer> actCounts = new HashMap<>();
    final Set<Act> excessive = new HashSet<>(); // acts beyond their limit
    boolean repeatsExcessiveAct; // has repeated an excessive act since the last wait
    int delayCount;
    long notBefore;
    long lastRepeat;
    long lastReconcile;
    long lastUse;

    void startWindow(long now) {
      windowStart = now;
      reconciles = 0;
      externalChanges = 0;
      actCounts.clear();
    }
  }

  private final Limits limits;
  private final Map<K, State> states =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, State> eldest) {
          return size() > MAX_KEYS;
        }
      };

  HotLoopPolicy(Limits limits) {
    this.limits = limits;
  }

  /**
   * Returns how long the key must wait before its reconcile. Zero counts as a reconcile.
   *
   * @param isExternal whether an external event queued the key
   * @param now in nanoseconds
   */
  Duration startReconcile(K key, boolean isExternal, long now) {
    if (isExternal && !states.containsKey(key)) {
      return Duration.ZERO;
    }
    State state = stateOf(key, now);
    if (now - state.windowStart > WINDOW.toNanos()) {
      state.startWindow(now);
    }
    if (isExternal) {
      state.externalChanges++;
    } else if (isHot(state)) {
      long remaining = remainingDelay(state, now);
      if (remaining > 0) {
        return Duration.ofNanos(remaining);
      }
    }
    if (state.excessive.isEmpty() && now - state.lastReconcile < 2 * FIRST_DELAY.toNanos()) {
      state.lastRepeat = now; // without excessive acts, each reconcile counts as a repeat
    }
    state.lastReconcile = now;
    state.reconciles++;
    return Duration.ZERO;
  }

  private static boolean isHot(State state) {
    return state.delayCount > 0;
  }

  private static long remainingDelay(State state, long now) {
    if (state.repeatsExcessiveAct) {
      state.repeatsExcessiveAct = false;
      state.delayCount++;
      state.notBefore = state.lastRepeat + BACKOFF.delayAfter(state.delayCount).toNanos();
    }
    return state.notBefore - now;
  }

  void recordAct(K key, boolean isWrite, String target, int content, long now) {
    State state = stateOf(key, now);
    Act act = new Act(isWrite, target, content);
    if (state.actCounts.size() < MAX_ACTS || state.actCounts.containsKey(act)) {
      state.actCounts.merge(act, 1, Integer::sum);
    }
    if (state.excessive.contains(act)) {
      state.repeatsExcessiveAct = true;
      state.lastRepeat = now;
    }
  }

  private State stateOf(K key, long now) {
    State state = states.get(key);
    if (state == null) {
      state = new State();
      state.startWindow(now);
      evictIdleKeys(now);
      states.put(key, state);
    }
    state.lastUse = now;
    return state;
  }

  // Removes keys without an act in the last minute, unless they are hot.
  private void evictIdleKeys(long now) {
    Iterator<State> eldest = states.values().iterator();
    for (int i = 0; i < CHECKED_PER_NEW_KEY && eldest.hasNext(); i++) {
      State state = eldest.next();
      long idleNanos = now - state.lastUse;
      if (idleNanos <= WINDOW.toNanos()) {
        return;
      }
      if (!isHot(state) || idleNanos > 2 * LONGEST_DELAY.toNanos()) {
        eldest.remove();
      }
    }
  }

  void withdrawPrompt(K key) {
    State state = states.get(key);
    if (state != null && state.externalChanges > 0) {
      state.externalChanges--;
    }
  }

  Optional<Finding> endReconcile(K key, long now) {
    State state = states.get(key);
    if (state == null) {
      return Optional.empty();
    }
    if (isHot(state)) {
      endHotLoop(state, now);
      return Optional.empty();
    }
    Finding finding = createFinding(state, now);
    boolean isSpinning =
        state.reconciles
            > limits.reconciles() + RECONCILES_PER_EXTERNAL_CHANGE * state.externalChanges;
    state.actCounts.forEach((act, count) -> {
      int allowed = act.isWrite() ? limits.writes() : limits.reads();
      if (count > allowed + REPEATS_PER_EXTERNAL_CHANGE * state.externalChanges) {
        state.excessive.add(act);
      }
    });
    if (!isSpinning && state.excessive.isEmpty()) {
      return Optional.empty();
    }
    state.delayCount = 1;
    state.lastRepeat = now;
    state.notBefore = now + FIRST_DELAY.toNanos();
    state.startWindow(now);
    return Optional.of(finding);
  }

  // Resets a key that has stopped its hot loop long enough.
  private static void endHotLoop(State state, long now) {
    long quietPeriod =
        Math.max(WINDOW.toNanos(), 2 * BACKOFF.delayAfter(state.delayCount).toNanos());
    if (!state.repeatsExcessiveAct && now - state.lastRepeat > quietPeriod) {
      state.excessive.clear();
      state.delayCount = 0;
      state.startWindow(now);
    } else if (state.excessive.isEmpty()) {
      // without excessive acts a constant short delay is enough
      state.notBefore = now + FIRST_DELAY.toNanos();
    }
  }

  private static Finding createFinding(State state, long now) {
    Optional<Map.Entry<Act, Integer>> mostFrequent =
        state.actCounts.entrySet().stream().max(Map.Entry.comparingByValue());
    return new Finding(
        state.reconciles,
        state.externalChanges,
        mostFrequent
            .map(e -> (e.getKey().isWrite() ? "wrote " : "read ") + e.getKey().target())
            .orElse("did nothing"),
        mostFrequent.map(Map.Entry::getValue).orElse(0),
        Duration.ofNanos(now - state.windowStart));
  }

  int keyCount() {
    return states.size();
  }
}
