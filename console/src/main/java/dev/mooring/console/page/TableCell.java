package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.model.ObjectKey;

record TableCell(String text, String href) {
  static TableCell of(Object text) {
    return new TableCell(text.toString(), "");
  }

  static TableCell of(ConsoleSection section, ObjectKey key) {
    return key.name().isEmpty() ? of("") : new TableCell(key.name(), section.address(key));
  }

  HtmlNode html() {
    return href.isEmpty()
        ? PageElements.name(text)
        : HtmlNode.of("a").with("href", href).add(PageElements.name(text));
  }
}
