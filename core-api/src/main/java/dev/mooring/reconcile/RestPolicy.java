package dev.mooring.reconcile;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Notices keys that move although nothing changed for them, and says how long each has to wait. A
 * key is restless that, within a minute, is looked at, writes the same to the same object, or asks
 * for the same object, more often than any honest work does; each time that it was asked for from
 * outside allows for some more. What is asked for from outside never waits. As long as a restless
 * key goes on with what made it so, it waits twice as long every time.
 *
 * <p>Costs memory only for keys that did something within the last minute or are restless, and for
 * a bounded number of those: objects come and go for months. Not thread-safe.
 *
 * @param <K> the key
 */
final class RestPolicy<K> {
  /**
   * What is too much within the window.
   *
   * @param passes how often it is looked at
   * @param writes how often the same is written
   * @param reads how often the same is asked for
   */
  record Limits(int passes, int writes, int reads) {
    /** Back-off alone makes at most 15 of each a minute, a look every second 60. */
    static final Limits DEFAULTS = new Limits(600, 30, 120);
  }

  /**
   * What was noticed about a key that has become restless, for people.
   *
   * @param passes how often it was looked at
   * @param prompts how often that was asked for from outside
   * @param most what it did most often
   * @param times how often that was
   * @param within in which time
   */
  record Finding(int passes, int prompts, String most, int times, Duration within) {}

  static final Duration WINDOW = Duration.ofMinutes(1);
  static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

  /** A prompt pays for so many passes, and for so many times the same. */
  private static final int PASSES_PER_PROMPT = 20;

  private static final int SAME_PER_PROMPT = 4;
  private static final int MOST_KEYS = 10_000;
  private static final int MOST_ACTS = 32;

  /** How many old keys are looked at when a new one comes: more than come. */
  private static final int FORGOTTEN_AT_ONCE = 8;

  private record Act(boolean write, String target, int content) {}

  private static final class State {
    long since;
    int passes;
    int prompts;
    final Map<Act, Integer> acts = new HashMap<>();
    final Set<Act> culprits = new HashSet<>(); // if there are any it is restless
    boolean goesOn; // it has done one of them again since it last waited
    int waits;
    long notBefore;
    long lastOffence;
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
          return size() > MOST_KEYS;
        }
      };

  RestPolicy(Limits limits) {
    this.limits = limits;
  }

  /**
   * How long the key has to wait before it is looked at; zero for not at all, and then it counts as
   * looked at.
   *
   * @param prompted whether it was asked for from outside
   * @param now in nanoseconds
   */
  Duration enter(K key, boolean prompted, long now) {
    if (prompted && !states.containsKey(key)) {
      return Duration.ZERO;
    }
    State state = used(key, now);
    if (now - state.since > WINDOW.toNanos()) {
      state.begin(now);
    }
    if (prompted) {
      state.prompts++;
    } else if (isRestless(state)) {
      long left = wait(state, now);
      if (left > 0) {
        return Duration.ofNanos(left);
      }
    }
    if (state.culprits.isEmpty() && now - state.lastPass < 2 * FIRST_WAIT.toNanos()) {
      state.lastOffence = now; // whoever only spins goes on with it by that
    }
    state.lastPass = now;
    state.passes++;
    return Duration.ZERO;
  }

  private static boolean isRestless(State state) {
    return state.waits > 0;
  }

  private static long wait(State state, long now) {
    if (state.goesOn) {
      state.goesOn = false;
      state.waits++;
      state.notBefore = state.lastOffence + waiting(state.waits).toNanos();
    }
    return state.notBefore - now;
  }

  private static Duration waiting(int waits) {
    Duration doubled = FIRST_WAIT.multipliedBy(1L << Math.min(waits - 1, 20));
    return doubled.compareTo(LONGEST_WAIT) < 0 ? doubled : LONGEST_WAIT;
  }

  /** Something was done for the key. */
  void acted(K key, boolean write, String target, int content, long now) {
    State state = used(key, now);
    Act act = new Act(write, target, content);
    if (state.acts.size() < MOST_ACTS || state.acts.containsKey(act)) {
      state.acts.merge(act, 1, Integer::sum);
    }
    if (state.culprits.contains(act)) {
      state.goesOn = true;
      state.lastOffence = now;
    }
  }

  private State used(K key, long now) {
    State state = states.get(key);
    if (state == null) {
      state = new State();
      state.begin(now);
      forgetSome(now);
      states.put(key, state);
    }
    state.lastUse = now;
    return state;
  }

  /** What was done longer ago than a minute counts no more, unless the key waits because of it. */
  private void forgetSome(long now) {
    Iterator<State> eldest = states.values().iterator();
    for (int i = 0; i < FORGOTTEN_AT_ONCE && eldest.hasNext(); i++) {
      State state = eldest.next();
      long unused = now - state.lastUse;
      if (unused <= WINDOW.toNanos()) {
        return;
      }
      if (!isRestless(state) || unused > 2 * LONGEST_WAIT.toNanos()) {
        eldest.remove();
      }
    }
  }

  /** One time that it was asked for from outside was none. */
  void notPrompted(K key) {
    State state = states.get(key);
    if (state != null && state.prompts > 0) {
      state.prompts--;
    }
  }

  /**
   * The look at the key is over.
   *
   * @return what was noticed, if it has become restless by it
   */
  Optional<Finding> left(K key, long now) {
    State state = states.get(key);
    if (state == null) {
      return Optional.empty();
    }
    if (isRestless(state)) {
      calm(state, now);
      return Optional.empty();
    }
    Finding found = finding(state, now);
    boolean spins = state.passes > limits.passes() + PASSES_PER_PROMPT * state.prompts;
    state.acts.forEach((act, times) -> {
      int allowed = act.write() ? limits.writes() : limits.reads();
      if (times > allowed + SAME_PER_PROMPT * state.prompts) {
        state.culprits.add(act);
      }
    });
    if (!spins && state.culprits.isEmpty()) {
      return Optional.empty();
    }
    state.waits = 1;
    state.lastOffence = now;
    state.notBefore = now + FIRST_WAIT.toNanos();
    state.begin(now);
    return Optional.of(found);
  }

  /** It has left off long enough: it is a key like any other again. */
  private static void calm(State state, long now) {
    long quiet = Math.max(WINDOW.toNanos(), 2 * waiting(state.waits).toNanos());
    if (!state.goesOn && now - state.lastOffence > quiet) {
      state.culprits.clear();
      state.waits = 0;
      state.begin(now);
    } else if (state.culprits.isEmpty()) {
      // it only spins: the same short wait each time costs next to nothing
      state.notBefore = now + FIRST_WAIT.toNanos();
    }
  }

  private static Finding finding(State state, long now) {
    Optional<Map.Entry<Act, Integer>> most =
        state.acts.entrySet().stream().max(Map.Entry.comparingByValue());
    return new Finding(
        state.passes,
        state.prompts,
        most.map(e -> (e.getKey().write() ? "wrote " : "asked for ") + e.getKey().target())
            .orElse("did nothing"),
        most.map(Map.Entry::getValue).orElse(0),
        Duration.ofNanos(now - state.since));
  }

  /** How many keys cost memory. */
  int keys() {
    return states.size();
  }
}
