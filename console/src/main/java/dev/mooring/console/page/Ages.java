package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.explain.Age;
import java.time.Instant;

/** Moments, as how long ago they were. */
final class Ages {
  private Ages() {}

  /** How long ago that was; a browser shows the moment when it is pointed at. */
  static Html since(long since, Instant now) {
    if (since <= 0) {
      return Html.text("");
    }
    String moment = Instant.ofEpochSecond(since).toString();
    return Html.of("time")
        .with("datetime", moment)
        .with("title", moment)
        .add(Age.text(now.getEpochSecond() - since));
  }

  static String moment(long since) {
    return since > 0 ? Instant.ofEpochSecond(since).toString() : "";
  }
}
