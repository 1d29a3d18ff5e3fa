package dev.mooring.console;

import java.util.Map;

/** Answer to a {@link ConsoleRequest}. */
public sealed interface ConsoleReply {
  record Document(int code, String text) implements ConsoleReply {}

  record Data(int code, Map<String, Object> tree) implements ConsoleReply {}

  record Asset(String type, byte[] content, String tag) implements ConsoleReply {}

  record Moved(String address) implements ConsoleReply {}

  record Changes(long since) implements ConsoleReply {}
}
