package dev.mooring.it.faults;

import dev.mooring.it.faults.WatchFault.When;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Decides which faults occur: for a given seed, the n-th request of a verb and kind always meets
 * the same fault, in whatever order requests of other kinds arrive. A limited number of faults is
 * followed by none. Thread-safe.
 */
public final class Faults {
  public static final Faults NONE = new Faults(0, 0, 1, Times.SHORT);

  private static final List<BiFunction<Random, Times, InjectedFault>> ALL =
      List.of(
          (r, t) -> new CallFault.Hanging(t.some(r)),
          (r, t) -> new CallFault.LostAnswer(Duration.ZERO),
          (r, t) -> new CallFault.LostAnswer(t.some(r)),
          (r, t) -> new CallFault.Late(t.some(r)),
          (r, t) -> new CallFault.SlowBytes(1 + r.nextInt(20), t.some(r)),
          (r, t) -> new CallFault.ObjectThrottled(),
          (r, t) -> new CallFault.ServerThrottled(),
          (r, t) -> new CallFault.Conflicting(),
          (r, t) -> new CallFault.Failing(List.of(500, 503, 504).get(r.nextInt(3))),
          (r, t) -> new CallFault.DoneAndTimedOut(),
          (r, t) -> new CallFault.Redirected(List.of(301, 302, 303, 307, 308).get(r.nextInt(5))),
          (r, t) -> new CallFault.Revoked(t.some(r)),
          (r, t) -> new ListFault.CutList(),
          (r, t) -> new ListFault.LongList(t.some(r)),
          (r, t) -> new ListFault.RefusedList(List.of(410, 429, 500, 504).get(r.nextInt(4))),
          (r, t) -> new WatchFault.Muted(when(r, t), t.some(r)),
          (r, t) -> new WatchFault.CutWatch(when(r, t)),
          (r, t) -> new WatchFault.EndedWatch(when(r, t)),
          (r, t) -> new WatchFault.EmptyWatch(),
          (r, t) ->
              new WatchFault.ErrorEvent(List.of(410, 429, 500, 504).get(r.nextInt(4)), when(r, t)),
          (r, t) -> new WatchFault.RefusedWatch(List.of(410, 429, 500, 504).get(r.nextInt(4))),
          (r, t) -> new WatchFault.RefusedStreaming(List.of(400, 422, 500, 504).get(r.nextInt(4))),
          (r, t) -> new WatchFault.Repeating(t.some(r)),
          (r, t) -> new WatchFault.Lagging(t.some(r).dividedBy(10), t.some(r)));

  private static final Map<String, Double> CHANCES =
      Map.of("STREAM", 0.4, "WATCH", 0.3, "LIST", 0.3);
  private static final double OTHERWISE = 0.15;

  /**
   * Durations of faults that last for a while.
   *
   * @param shortest minimum
   * @param longest maximum
   */
  public record Times(Duration shortest, Duration longest) {
    public static final Times SHORT = new Times(Duration.ofMillis(100), Duration.ofMillis(1200));

    /** Longer than a client's timeout. */
    public static final Times LONG = new Times(Duration.ofMillis(100), Duration.ofSeconds(25));

    Duration some(Random random) {
      double part = Math.pow(random.nextDouble(), 2);
      return shortest.plusNanos((long) (longest.minus(shortest).toNanos() * part));
    }
  }

  private final long seed;
  private final Times times;
  private final double rarity;
  private final Map<String, Integer> asked = new HashMap<>();
  private int leftOfStreams;
  private int leftOfCalls;
  private boolean over;

  private Faults(long seed, int count, double rarity, Times times) {
    this.seed = seed;
    this.leftOfStreams = count;
    this.leftOfCalls = count;
    this.rarity = rarity;
    this.times = times;
  }

  /** Injects up to {@code count} faults into lists and watches, and as many into other calls. */
  public static Faults seeded(long seed, int count, Times times) {
    return new Faults(seed, count, 1, times);
  }

  /** Injects faults until {@link #stop}; {@code rarity} scales their probability. */
  public static Faults endless(long seed, double rarity, Times times) {
    return new Faults(seed, Integer.MAX_VALUE, rarity, times);
  }

  private static When when(Random random, Times times) {
    // streams are long, and most of their events come late
    return new When(random.nextInt(10), times.some(random).multipliedBy(random.nextInt(12)));
  }

  /** Returns the fault for the request, if any. */
  synchronized Optional<InjectedFault> next(ProxiedRequest request) {
    String way = request.verb() + " " + request.resource();
    int ordinal = asked.merge(way, 1, Integer::sum);
    boolean list = request.isWatch() || request.isList();
    if (over || (list ? leftOfStreams : leftOfCalls) == 0) {
      return Optional.empty();
    }
    Random random = new Random(seed * 1_000_003 + way.hashCode() * 31L + ordinal * 7919L);
    random.nextLong();
    if (random.nextDouble() >= rarity * CHANCES.getOrDefault(request.verb(), OTHERWISE)) {
      return Optional.empty();
    }
    List<InjectedFault> suiting =
        ALL.stream().map(f -> f.apply(random, times)).filter(f -> f.suits(request)).toList();
    if (suiting.isEmpty()) {
      return Optional.empty();
    }
    if (list) {
      leftOfStreams--;
    } else {
      leftOfCalls--;
    }
    return Optional.of(suiting.get(random.nextInt(suiting.size())));
  }

  /** Returns all types of faults. */
  public static Set<Class<?>> kinds() {
    return ALL.stream()
        .map(f -> f.apply(new Random(0), Times.SHORT).getClass())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Stops injecting faults. */
  public synchronized void stop() {
    over = true;
  }

  /** Returns whether no further fault will occur. */
  synchronized boolean isOver() {
    return over;
  }
}
