package dev.mooring.console;

import java.util.Map;

/** Answer to a {@link ConsoleRequest}. */
public sealed interface ConsoleReply {
  /**
   * An HTML page.
   *
   * @param code HTTP status
   * @param text HTML
   */
  record Document(int code, String text) implements ConsoleReply {}

  /**
   * A page as JSON.
   *
   * @param code HTTP status
   * @param tree strings, numbers, booleans, lists and maps
   */
  record Data(int code, Map<String, Object> tree) implements ConsoleReply {}

  /**
   * A static file.
   *
   * @param type media type
   * @param tag value of {@code ETag}
   */
  record Asset(String type, byte[] content, String tag) implements ConsoleReply {}

  /** A redirect. */
  record Moved(String address) implements ConsoleReply {}

  /**
   * An event stream, written by {@link Console#streamChanges}.
   *
   * @param since version of the browser's page; -1 if unknown
   */
  record Changes(long since) implements ConsoleReply {}
}
