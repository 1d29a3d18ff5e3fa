package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.view.Section;
import java.util.Map;

/**
 * That there is no such page, or none yet.
 *
 * @param code the answer's code
 * @param title what there is not
 * @param why in a sentence
 */
public record NoPage(int code, String title, String why) implements Page {
  @Override
  public String json() {
    return Section.ROOT + "overview.json";
  }

  @Override
  public String entry() {
    return "";
  }

  @Override
  public Html body() {
    return Html.of("p").add(why);
  }

  @Override
  public Map<String, Object> tree() {
    return Trees.map(
        "apiVersion", Trees.VERSION, "kind", "ConsoleError", "code", code, "message", why);
  }
}
