package dev.mooring.csi.state;

/**
 * Limit of one kind of calls to a driver. There is none until the driver refuses. Then the rate
 * falls to what the driver accepted, and grows while callers wait and the driver accepts: slowly at
 * first, at last it doubles each second. A minute without a refusal ends the limit. Times are in
 * seconds. Not thread-safe.
 */
final class LanePace {
  static final double UNLIMITED = Double.POSITIVE_INFINITY;

  private static final double MIN_RATE = 0.5;
  private static final double MAX_RATE = 1000;
  private static final double MIN_CONCURRENCY = 10; // the default of the sidecars
  private static final double CONCURRENCY_GROWTH = 0.25;

  // A single refusal may concern one object, for example a node that is full.
  private static final int MIN_REFUSALS = 3;
  private static final double MIN_REFUSED_SHARE = 0.2;

  private static final double ROOM_FACTOR = 0.75;
  private static final double SUDDEN_SHARE = 0.5;
  private static final double SUDDEN_CUT = 0.7;
  private static final double CUT_INTERVAL = 0.1;
  private static final double FIRST_GROWTH = 0.05;
  private static final double LAST_GROWTH = 1;
  private static final double PROBE_INTERVAL = 1;
  private static final double FORGET_AFTER = 60;
  private static final double BURST_SECONDS = 0.25;

  private final ReplyHistory replies = new ReplyHistory();
  private final ReplyHistory conflicts = new ReplyHistory();
  private double rate = UNLIMITED;
  private double concurrency = UNLIMITED;
  private double tokens;
  private double refilled;
  private double growth = FIRST_GROWTH;
  private double grown; // when the growth last doubled
  private double lastCut = Double.NEGATIVE_INFINITY;
  private double lastRefusal = Double.NEGATIVE_INFINITY;
  private double lastWait = Double.NEGATIVE_INFINITY;
  private double lastCall = Double.NEGATIVE_INFINITY;
  private int running;
  private int calling;

  LanePace withoutLimits() {
    LanePace pace = new LanePace();
    pace.running = running;
    pace.calling = calling;
    return pace;
  }

  boolean tryEnter(double now) {
    refill(now);
    if (running >= concurrency || rate < UNLIMITED && tokens - countPreparing() < 1) {
      lastWait = now;
      return false;
    }
    running++;
    return true;
  }

  void leave() {
    running--;
  }

  // Infinite if only the end of a call makes room.
  double computeWait() {
    return rate == UNLIMITED || running >= concurrency
        ? UNLIMITED
        : Math.max(0, (1 + countPreparing() - tokens) / rate);
  }

  // Work that has not called yet holds a token; it may end without a call.
  private int countPreparing() {
    return Math.max(0, running - calling);
  }

  void startCall(double now) {
    refill(now);
    calling++;
    lastCall = now;
    if (rate < UNLIMITED) {
      tokens = Math.max(tokens - 1, -rate);
    }
  }

  void recordAccepted(double now) {
    calling--;
    replies.recordAccepted(now);
    conflicts.recordAccepted(now);
    if (running >= concurrency) {
      concurrency += CONCURRENCY_GROWTH;
    }
  }

  void recordOther() {
    calling--;
  }

  void recordConflict(double now, double factor) {
    calling--;
    conflicts.recordRefused(now);
    if (isFrequent(conflicts, now) && now - lastCut > PROBE_INTERVAL) {
      lastRefusal = now;
      concurrency = Math.max(MIN_CONCURRENCY, Math.min(concurrency, running) * factor);
      lastCut = now;
    }
  }

  void recordThrottled(double now) {
    calling--;
    replies.recordRefused(now);
    lastRefusal = now;
  }

  boolean isThrottled(double now) {
    return isFrequent(replies, now);
  }

  private static boolean isFrequent(ReplyHistory history, double now) {
    return history.countRefused(now) >= MIN_REFUSALS
        && history.computeRefusedShare(now) >= MIN_REFUSED_SHARE;
  }

  boolean isLimited() {
    return rate < UNLIMITED || concurrency < UNLIMITED;
  }

  boolean isLimitedAt(double now) {
    refill(now); // ends a limit that is too old
    return isLimited();
  }

  /**
   * Reduces the rate to what the driver accepts; further if it accepts much less than before.
   *
   * @param leavesRoom whether more important calls need some of what the driver accepts
   */
  void followDriver(double now, boolean leavesRoom) {
    refill(now);
    double accepted = replies.computeAcceptedRate(now) * (leavesRoom ? ROOM_FACTOR : 1);
    boolean isSudden = replies.computeRefusedShare(now) > SUDDEN_SHARE;
    if (isSudden && now - lastCut > CUT_INTERVAL) {
      lastCut = now;
      limitRate(Math.min(accepted, rate * SUDDEN_CUT), now);
    } else if (!isSudden) {
      limitRate(accepted, now);
    }
  }

  void leaveRoom(double now) {
    refill(now);
    if (now - lastCut > CUT_INTERVAL) {
      lastCut = now;
      lastRefusal = now;
      limitRate(Math.min(rate, replies.computeAcceptedRate(now)) * SUDDEN_CUT, now);
    }
  }

  boolean isSaturated(double now) {
    return now - lastWait < PROBE_INTERVAL;
  }

  boolean hasCalledSince(double time) {
    return lastCall >= time;
  }

  private void limitRate(double newRate, double now) {
    rate = Math.max(MIN_RATE, newRate);
    tokens = Math.min(tokens, 0);
    growth = newRate < MIN_RATE ? LAST_GROWTH : FIRST_GROWTH;
    grown = now;
  }

  private void refill(double now) {
    double elapsed = now - refilled;
    refilled = now;
    if (now - lastRefusal > FORGET_AFTER) {
      rate = UNLIMITED;
      concurrency = UNLIMITED;
    }
    if (rate == UNLIMITED || elapsed <= 0) {
      return;
    }
    tokens = Math.min(tokens + elapsed * rate, Math.max(1, rate * BURST_SECONDS));
    if (now - lastRefusal > PROBE_INTERVAL && isSaturated(now)) {
      grow(now, elapsed);
    }
  }

  private void grow(double now, double elapsed) {
    if (now - grown > PROBE_INTERVAL) {
      growth = Math.min(LAST_GROWTH, growth * 2);
      grown = now;
    }
    rate *= Math.pow(1 + growth, elapsed);
    if (rate > MAX_RATE) {
      rate = UNLIMITED;
    }
  }

  double rate() {
    return rate;
  }

  double concurrency() {
    return concurrency;
  }
}
