package dev.mooring.it.faults;

import dev.mooring.it.faults.WatchFault.StreamPoint;
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
 * Decides which faults occur. For a given seed, the n-th request of a verb and kind always gets the
 * same fault, independently of other requests. After a limited number of faults the requests get
 * none. Thread-safe.
 */
public final class Faults {
  public static final Faults NONE = new Faults(0, 0, 1, Times.SHORT);

  private static final List<BiFunction<Random, Times, InjectedFault>> FACTORIES =
      List.of(
          (r, t) -> new CallFault.HangingCall(t.drawDuration(r)),
          (r, t) -> new CallFault.LostResponse(Duration.ZERO),
          (r, t) -> new CallFault.LostResponse(t.drawDuration(r)),
          (r, t) -> new CallFault.LateDelivery(t.drawDuration(r)),
          (r, t) -> new CallFault.SlowResponse(1 + r.nextInt(20), t.drawDuration(r)),
          (r, t) -> new CallFault.ObjectThrottled(),
          (r, t) -> new CallFault.ServerThrottled(),
          (r, t) -> new CallFault.FalseConflict(),
          (r, t) -> new CallFault.FailedCall(List.of(500, 503, 504).get(r.nextInt(3))),
          (r, t) -> new CallFault.ExecutedTimeout(),
          (r, t) ->
              new CallFault.RedirectedCall(List.of(301, 302, 303, 307, 308).get(r.nextInt(5))),
          (r, t) -> new CallFault.RevokedToken(t.drawDuration(r)),
          (r, t) -> new ListFault.CutList(),
          (r, t) -> new ListFault.DelayedList(t.drawDuration(r)),
          (r, t) -> new ListFault.RejectedList(List.of(410, 429, 500, 504).get(r.nextInt(4))),
          (r, t) -> new WatchFault.SilentWatch(drawPoint(r, t), t.drawDuration(r)),
          (r, t) -> new WatchFault.CutWatch(drawPoint(r, t)),
          (r, t) -> new WatchFault.EndedWatch(drawPoint(r, t)),
          (r, t) -> new WatchFault.EmptyWatch(),
          (r, t) ->
              new WatchFault.ErrorEvent(
                  List.of(410, 429, 500, 504).get(r.nextInt(4)), drawPoint(r, t)),
          (r, t) -> new WatchFault.RejectedWatch(List.of(410, 429, 500, 504).get(r.nextInt(4))),
          (r, t) -> new WatchFault.RejectedStreaming(List.of(400, 422, 500, 504).get(r.nextInt(4))),
          (r, t) -> new WatchFault.RepeatedEvents(t.drawDuration(r)),
          (r, t) ->
              new WatchFault.DelayedEvents(t.drawDuration(r).dividedBy(10), t.drawDuration(r)));

  private static final Map<String, Double> PROBABILITIES =
      Map.of("STREAM", 0.4, "WATCH", 0.3, "LIST", 0.3);
  private static final double DEFAULT_PROBABILITY = 0.15;

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

    Duration drawDuration(Random random) {
      double fraction = Math.pow(random.nextDouble(), 2);
      return shortest.plusNanos((long) (longest.minus(shortest).toNanos() * fraction));
    }
  }

  private final long seed;
  private final Times times;
  private final double rarity;
  private final Map<String, Integer> ordinals = new HashMap<>();
  private int remainingStreamFaults;
  private int remainingCallFaults;
  private boolean isOver;

  private Faults(long seed, int count, double rarity, Times times) {
    this.seed = seed;
    this.remainingStreamFaults = count;
    this.remainingCallFaults = count;
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

  private static StreamPoint drawPoint(Random random, Times times) {
    // long streams need faults after many events
    return new StreamPoint(
        random.nextInt(10), times.drawDuration(random).multipliedBy(random.nextInt(12)));
  }

  /** Returns the fault for the request, if any. */
  synchronized Optional<InjectedFault> nextFault(ProxiedRequest request) {
    String requestKind = request.verb() + " " + request.resource();
    int ordinal = ordinals.merge(requestKind, 1, Integer::sum);
    boolean isStream = request.isWatch() || request.isList();
    if (isOver || (isStream ? remainingStreamFaults : remainingCallFaults) == 0) {
      return Optional.empty();
    }
    Random random = new Random(seed * 1_000_003 + requestKind.hashCode() * 31L + ordinal * 7919L);
    random.nextLong();
    if (random.nextDouble()
        >= rarity * PROBABILITIES.getOrDefault(request.verb(), DEFAULT_PROBABILITY)) {
      return Optional.empty();
    }
    List<InjectedFault> applicable =
        FACTORIES.stream()
            .map(fault -> fault.apply(random, times))
            .filter(fault -> fault.canApplyTo(request))
            .toList();
    if (applicable.isEmpty()) {
      return Optional.empty();
    }
    if (isStream) {
      remainingStreamFaults--;
    } else {
      remainingCallFaults--;
    }
    return Optional.of(applicable.get(random.nextInt(applicable.size())));
  }

  /** Returns all types of faults. */
  public static Set<Class<?>> kinds() {
    return FACTORIES.stream()
        .map(factory -> factory.apply(new Random(0), Times.SHORT).getClass())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Stops injecting faults. */
  public synchronized void stop() {
    isOver = true;
  }

  /** Returns whether no further fault will occur. */
  synchronized boolean isOver() {
    return isOver;
  }
}
