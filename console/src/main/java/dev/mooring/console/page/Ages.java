package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import java.time.Instant;

/** Lengths of time, as kubectl writes them. */
final class Ages {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private Ages() {}

  static String text(long seconds) {
    long age = Math.max(0, seconds);
    if (age < 2 * MINUTE) {
      return age + "s";
    }
    if (age < 2 * HOUR) {
      return age / MINUTE + "m";
    }
    return age < 2 * DAY ? age / HOUR + "h" : age / DAY + "d";
  }

  /** How long ago that was; a browser shows the moment when it is pointed at. */
  static Html since(long since, Instant now) {
    if (since <= 0) {
      return Html.text("");
    }
    String moment = Instant.ofEpochSecond(since).toString();
    return Html.of("time")
        .with("datetime", moment)
        .with("title", moment)
        .add(text(now.getEpochSecond() - since));
  }

  static String moment(long since) {
    return since > 0 ? Instant.ofEpochSecond(since).toString() : "";
  }
}
