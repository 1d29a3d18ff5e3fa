package dev.mooring.console;

/**
 * What a browser or a program asks for.
 *
 * @param path the path as it was sent, with its escapes
 * @param query what stands after the question mark; "" for nothing
 * @param accept the header of that name; "" for none
 */
public record ConsoleRequest(String path, String query, String accept) {
  /** Whether JSON is asked for by the header: named, and before HTML. */
  boolean prefersJson() {
    int json = accept.indexOf("application/json");
    int html = accept.indexOf("text/html");
    return json >= 0 && (html < 0 || json < html);
  }
}
