package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.explain.AgeFormat;
import java.time.Instant;

final class AgeElement {
  private AgeElement() {}

  static HtmlNode since(long since, Instant now) {
    if (since <= 0) {
      return HtmlNode.text("");
    }
    String timestamp = Instant.ofEpochSecond(since).toString();
    return HtmlNode.of("time")
        .with("datetime", timestamp)
        .with("title", timestamp)
        .add(AgeFormat.format(now.getEpochSecond() - since));
  }

  static String timestamp(long since) {
    return since > 0 ? Instant.ofEpochSecond(since).toString() : "";
  }
}
