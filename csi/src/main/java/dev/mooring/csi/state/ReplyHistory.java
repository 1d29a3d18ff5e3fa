package dev.mooring.csi.state;

/** Times of the last calls that a driver accepted or refused. Not thread-safe. */
final class ReplyHistory {
  private static final int CAPACITY = 64;
  private static final int MAX_SAMPLES = 32;
  private static final double RECENT_SECONDS = 1;
  private static final double LONGEST_SECONDS = 10;

  private final Ring accepted = new Ring();
  private final Ring refused = new Ring();

  private static final class Ring {
    private final double[] times = new double[CAPACITY];
    private long count;

    void add(double time) {
      times[(int) (count % CAPACITY)] = time;
      count++;
    }

    double timeOf(int age) {
      return times[(int) ((count - 1 - age) % CAPACITY)];
    }

    int countSince(double time, int limit) {
      int found = 0;
      while (found < Math.min(limit, Math.min(count, CAPACITY)) && timeOf(found) >= time) {
        found++;
      }
      return found;
    }
  }

  void recordAccepted(double now) {
    accepted.add(now);
  }

  void recordRefused(double now) {
    refused.add(now);
  }

  int countRefused(double now) {
    return refused.countSince(now - RECENT_SECONDS, CAPACITY);
  }

  double computeRefusedShare(double now) {
    int refusals = countRefused(now);
    return refusals == 0
        ? 0
        : (double) refusals / (refusals + accepted.countSince(now - RECENT_SECONDS, CAPACITY));
  }

  /**
   * Returns the accepted calls per second. At a low rate it averages over up to ten seconds,
   * because a few calls give no reliable rate.
   */
  double computeAcceptedRate(double now) {
    int samples = accepted.countSince(now - LONGEST_SECONDS, MAX_SAMPLES);
    return samples == 0 ? 0 : (samples - 0.5) / Math.max(0.01, now - accepted.timeOf(samples - 1));
  }
}
