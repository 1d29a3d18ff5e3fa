package dev.mooring.manager.command;

import java.util.List;
import java.util.Locale;

record NamedTarget(String text, String kind, String name) {
  static NamedTarget of(List<String> arguments) {
    String text = String.join("/", arguments);
    int slash = text.indexOf('/');
    String kind = slash < 0 ? "" : text.substring(0, slash).toLowerCase(Locale.ROOT);
    return new NamedTarget(text, kind, text.substring(slash + 1));
  }
}
