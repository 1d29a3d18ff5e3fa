package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import java.util.Map;

/** A page, independent of its representation. */
public sealed interface Page
    permits ListPage, ErrorPage, ObjectPage, OverviewPage, PluginsPage, WaitingPage {
  String title();

  String json();

  String entry();

  Html body();

  Map<String, Object> tree();

  default int code() {
    return 200;
  }
}
