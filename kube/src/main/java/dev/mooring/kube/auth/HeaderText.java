package dev.mooring.kube.auth;

final class HeaderText {
  private HeaderText() {}

  // Returns why the text cannot be the value of an HTTP header; "" if it can. Omits the text.
  static String findFlaw(String text) {
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character < ' ' || character > '~') {
        return "has %s at position %d, which HTTP headers do not allow"
            .formatted(
                character == '\n' || character == '\r' ? "a line break" : "a character", i + 1);
      }
    }
    return "";
  }
}
