package dev.mooring.binder.decide;

import java.util.Arrays;
import java.util.Optional;

/**
 * Adds a reason's code and remedy to the message of an event, and parses them back. The code shows
 * readers of events whether a retry can help.
 */
public final class CodedMessage {
  private static final String CODE_START = " [";
  private static final String CODE_END = "]; what to do: ";

  private CodedMessage() {}

  public static String encode(Reason reason, String message) {
    return message + CODE_START + reason.code() + CODE_END + reason.remedy();
  }

  public static Optional<Reason> parseReason(String message) {
    int end = message.lastIndexOf(CODE_END);
    int start = end < 0 ? -1 : message.lastIndexOf(CODE_START, end);
    return start < 0
        ? Optional.empty()
        : Arrays.stream(Reason.values())
            .filter(
                reason -> reason.code().equals(message.substring(start + CODE_START.length(), end)))
            .findFirst();
  }

  public static String removeCode(String message) {
    return parseReason(message).isEmpty()
        ? message
        : message.substring(0, message.lastIndexOf(CODE_START, message.lastIndexOf(CODE_END)));
  }
}
