package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.explain.Age;
import java.time.Instant;

final class AgeElement {
  private AgeElement() {}

  static Html since(long since, Instant now) {
    if (since <= 0) {
      return Html.text("");
    }
    String timestamp = Instant.ofEpochSecond(since).toString();
    return Html.of("time")
        .with("datetime", timestamp)
        .with("title", timestamp)
        .add(Age.text(now.getEpochSecond() - since));
  }

  static String timestamp(long since) {
    return since > 0 ? Instant.ofEpochSecond(since).toString() : "";
  }
}
