package dev.mooring.explain;

/** Lengths of time for people, as kubectl writes them. */
public final class Age {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private Age() {}

  /**
   * In the largest unit of which there are two.
   *
   * @param seconds how long; less than none is none, for clocks differ
   */
  public static String text(long seconds) {
    long age = Math.max(0, seconds);
    if (age < 2 * MINUTE) {
      return age + "s";
    }
    if (age < 2 * HOUR) {
      return age / MINUTE + "m";
    }
    return age < 2 * DAY ? age / HOUR + "h" : age / DAY + "d";
  }
}
