package dev.mooring.console;

/**
 * Request of a browser or a program.
 *
 * @param path raw path, with escapes
 * @param query part after the question mark; "" if there is none
 * @param accept value of the {@code Accept} header; "" if absent
 */
public record ConsoleRequest(String path, String query, String accept) {
  boolean prefersJson() {
    int json = accept.indexOf("application/json");
    int html = accept.indexOf("text/html");
    return json >= 0 && (html < 0 || json < html);
  }
}
