package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import java.util.Map;

/** A page, independent of its representation. */
public sealed interface Page
    permits ListPage, ErrorPage, ObjectPage, OverviewPage, PluginsPage, WaitingPage {
  /** Returns the window title and heading. */
  String title();

  String json();

  /** Returns the address of the navigation entry to highlight; "" for none. */
  String entry();

  Html body();

  /** Returns the page as JSON: strings, numbers, booleans, lists and maps. */
  Map<String, Object> tree();

  default int code() {
    return 200;
  }
}
