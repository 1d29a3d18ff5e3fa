package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import java.util.Map;

/** A page, independent of its representation. */
public sealed interface ConsolePage
    permits ComparisonPage,
        ListPage,
        ErrorPage,
        ObjectPage,
        OverviewPage,
        PluginsPage,
        WaitingPage {
  String title();

  String entry();

  default String json() {
    return entry() + ".json";
  }

  HtmlNode body();

  Map<String, Object> tree();

  default int code() {
    return 200;
  }
}
