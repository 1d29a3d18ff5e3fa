package dev.mooring.model;

final class NameRules {
  private static final int MAX_LENGTH = 253;
  private static final int MAX_QUOTED_LENGTH = 64;
  private static final String UNRESERVED_AND_DELIMITERS = "-._~!$&'()*+,;=:@";

  private NameRules() {}

  static String flaw(String field, String name) {
    if (name.isEmpty()) {
      return "the " + field + " is empty";
    }
    if (name.length() > MAX_LENGTH) {
      return "the " + field + " " + quote(name) + " is longer than " + MAX_LENGTH + " characters";
    }
    if (name.equals(".") || name.equals("..")) {
      return "the " + field + " " + quote(name) + " is a relative path segment";
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isAllowed(name.charAt(i))) {
        return "the " + field + " " + quote(name) + " contains " + describe(name.charAt(i));
      }
    }
    return "";
  }

  private static boolean isAllowed(char c) {
    return c >= 'a' && c <= 'z'
        || c >= '0' && c <= '9'
        || c >= 'A' && c <= 'Z'
        || UNRESERVED_AND_DELIMITERS.indexOf(c) >= 0;
  }

  private static String describe(char c) {
    return isPrintable(c) ? "\"" + c + "\"" : "U+%04X".formatted((int) c);
  }

  private static boolean isPrintable(char c) {
    return c > ' ' && c < 0x7f;
  }

  // Quotes the beginning of a name without characters that could disturb a terminal or log.
  private static String quote(String name) {
    StringBuilder safe = new StringBuilder("\"");
    for (int i = 0; i < Math.min(name.length(), MAX_QUOTED_LENGTH); i++) {
      safe.append(isPrintable(name.charAt(i)) ? name.charAt(i) : '?');
    }
    return safe.append(name.length() > MAX_QUOTED_LENGTH ? "...\"" : "\"").toString();
  }
}
