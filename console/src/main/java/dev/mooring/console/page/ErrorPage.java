package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.ConsoleSection;
import java.util.Map;

/**
 * Error page.
 *
 * @param code HTTP status
 * @param title heading
 * @param why a sentence
 */
public record ErrorPage(int code, String title, String message) implements ConsolePage {
  @Override
  public String json() {
    return ConsoleSection.ROOT + "overview.json";
  }

  @Override
  public String entry() {
    return "";
  }

  @Override
  public HtmlNode body() {
    return HtmlNode.of("p").add(message);
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.document("kind", "ConsoleError", "code", code, "message", message);
  }
}
