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
 * number of its reconciles, of equal writes, or of equal reads. Each external event (prompt) raises
 * these limits. A prompted key never waits. The delay doubles as long as a hot key repeats the act
 * that exceeded its limit.
 *
 * <p>Memory is bounded: the policy keeps only keys that were active within the last minute or are
 * hot, up to a maximum.
 *
 * @param <K> type of the key
 */
final class HotLoopPolicy<K> {
  record Limits(int passes, int writes, int reads) {
    /** Back-off alone causes at most 15 of each per minute, a check every second 60. */
    static final Limits DEFAULTS = new Limits(600, 30, 120);
  }

  record Finding(int passes, int prompts, String most, int times, Duration within) {}

  static final Duration WINDOW = Duration.ofMinutes(1);
  static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
  private static final DoublingDelay BACKOFF = new DoublingDelay(FIRST_WAIT, LONGEST_WAIT);

  // Additional reconciles per prompt.
  private static final int PASSES_PER_PROMPT = 20;

  private static final int REPEATS_PER_PROMPT = 4;
  private static final int MAX_KEYS = 10_000;
  private static final int MAX_ACTS = 32;

  // Old keys that are checked per new key; more than one, so that the map shrinks.
  private static final int CHECKED_PER_NEW_KEY = 8;

  private record Act(boolean write, String target, int content) {}

  private static final class State {
    long since;
    int passes;
    int prompts;
    final Map<Act, Integer> acts = new HashMap<>();
    final Set<Act> excessive = new HashSet<>(); // acts beyond their limit
    boolean repeatsExcessiveAct; // has repeated an excessive act since the last wait
    int waits;
    long notBefore;
    long lastRepeat;
    long lastPass;
    long lastUse;

    void begin(long now) {
      since = now;
      passes = 0;
      prompts = 0;
      acts.clear();
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
   * @param prompted whether an external event queued the key
   * @param now in nanoseconds
   */
  Duration enter(K key, boolean prompted, long now) {
    if (prompted && !states.containsKey(key)) {
      return Duration.ZERO;
    }
    State state = touch(key, now);
    if (now - state.since > WINDOW.toNanos()) {
      state.begin(now);
    }
    if (prompted) {
      state.prompts++;
    } else if (isHot(state)) {
      long left = wait(state, now);
      if (left > 0) {
        return Duration.ofNanos(left);
      }
    }
    if (state.excessive.isEmpty() && now - state.lastPass < 2 * FIRST_WAIT.toNanos()) {
      state.lastRepeat = now; // without excessive acts, each reconcile counts as a repeat
    }
    state.lastPass = now;
    state.passes++;
    return Duration.ZERO;
  }

  private static boolean isHot(State state) {
    return state.waits > 0;
  }

  private static long wait(State state, long now) {
    if (state.repeatsExcessiveAct) {
      state.repeatsExcessiveAct = false;
      state.waits++;
      state.notBefore = state.lastRepeat + BACKOFF.after(state.waits).toNanos();
    }
    return state.notBefore - now;
  }

  void recordAct(K key, boolean write, String target, int content, long now) {
    State state = touch(key, now);
    Act act = new Act(write, target, content);
    if (state.acts.size() < MAX_ACTS || state.acts.containsKey(act)) {
      state.acts.merge(act, 1, Integer::sum);
    }
    if (state.excessive.contains(act)) {
      state.repeatsExcessiveAct = true;
      state.lastRepeat = now;
    }
  }

  private State touch(K key, long now) {
    State state = states.get(key);
    if (state == null) {
      state = new State();
      state.begin(now);
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
      long unused = now - state.lastUse;
      if (unused <= WINDOW.toNanos()) {
        return;
      }
      if (!isHot(state) || unused > 2 * LONGEST_WAIT.toNanos()) {
        eldest.remove();
      }
    }
  }

  void withdrawPrompt(K key) {
    State state = states.get(key);
    if (state != null && state.prompts > 0) {
      state.prompts--;
    }
  }

  Optional<Finding> exit(K key, long now) {
    State state = states.get(key);
    if (state == null) {
      return Optional.empty();
    }
    if (isHot(state)) {
      endHotLoop(state, now);
      return Optional.empty();
    }
    Finding finding = statistics(state, now);
    boolean spins = state.passes > limits.passes() + PASSES_PER_PROMPT * state.prompts;
    state.acts.forEach((act, times) -> {
      int allowed = act.write() ? limits.writes() : limits.reads();
      if (times > allowed + REPEATS_PER_PROMPT * state.prompts) {
        state.excessive.add(act);
      }
    });
    if (!spins && state.excessive.isEmpty()) {
      return Optional.empty();
    }
    state.waits = 1;
    state.lastRepeat = now;
    state.notBefore = now + FIRST_WAIT.toNanos();
    state.begin(now);
    return Optional.of(finding);
  }

  // Resets a key that has stopped its hot loop long enough.
  private static void endHotLoop(State state, long now) {
    long quiet = Math.max(WINDOW.toNanos(), 2 * BACKOFF.after(state.waits).toNanos());
    if (!state.repeatsExcessiveAct && now - state.lastRepeat > quiet) {
      state.excessive.clear();
      state.waits = 0;
      state.begin(now);
    } else if (state.excessive.isEmpty()) {
      // without excessive acts a constant short delay is enough
      state.notBefore = now + FIRST_WAIT.toNanos();
    }
  }

  private static Finding statistics(State state, long now) {
    Optional<Map.Entry<Act, Integer>> most =
        state.acts.entrySet().stream().max(Map.Entry.comparingByValue());
    return new Finding(
        state.passes,
        state.prompts,
        most.map(e -> (e.getKey().write() ? "wrote " : "read ") + e.getKey().target())
            .orElse("did nothing"),
        most.map(Map.Entry::getValue).orElse(0),
        Duration.ofNanos(now - state.since));
  }

  int keys() {
    return states.size();
  }
}
