package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import java.util.Map;

/** Something that is shown. */
public sealed interface Page
    permits ListPage, NoPage, ObjectPage, OverviewPage, PluginsPage, WaitingPage {
  /** What stands in the window's title and over the page. */
  String title();

  String json();

  /** Which entry of the navigation it belongs to, as an address; "" for none. */
  String entry();

  Html body();

  /** The same for programs: strings, numbers, booleans, lists and maps. */
  Map<String, Object> tree();

  default int code() {
    return 200;
  }
}
