package dev.mooring.console;

import java.util.Map;

/** What is answered. */
public sealed interface ConsoleReply {
  /**
   * A page.
   *
   * @param code the status
   * @param text HTML
   */
  record Document(int code, String text) implements ConsoleReply {}

  /**
   * The same for programs.
   *
   * @param code the status
   * @param tree what becomes JSON: strings, numbers, booleans, lists and maps
   */
  record Data(int code, Map<String, Object> tree) implements ConsoleReply {}

  /**
   * A file that never changes while the process lives.
   *
   * @param type its media type
   * @param content its bytes
   * @param tag says which it is, for {@code ETag}
   */
  record Asset(String type, byte[] content, String tag) implements ConsoleReply {}

  /**
   * It is elsewhere.
   *
   * @param address where
   */
  record Moved(String address) implements ConsoleReply {}

  /**
   * Changes, as they come: {@link Console#tell} has them.
   *
   * @param since the version of what the browser shows; -1 if it has not said
   */
  record Changes(long since) implements ConsoleReply {}
}
