package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.view.Section;
import dev.mooring.model.ObjectKey;

/**
 * What stands in a table.
 *
 * @param text for people; "" for nothing
 * @param href where it leads; "" for nowhere
 */
record Cell(String text, String href) {
  static Cell of(Object text) {
    return new Cell(text.toString(), "");
  }

  /** The name of an object that has a page. */
  static Cell of(Section section, ObjectKey key) {
    return key.name().isEmpty() ? of("") : new Cell(key.name(), section.address(key));
  }

  Html html() {
    return href.isEmpty() ? Html.text(text) : Html.of("a").with("href", href).add(text);
  }
}
