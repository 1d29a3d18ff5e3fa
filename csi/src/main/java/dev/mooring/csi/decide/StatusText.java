package dev.mooring.csi.decide;

import java.nio.charset.StandardCharsets;

/** Cuts drivers' texts to the length that the API server accepts in a status. */
public final class StatusText {
  private StatusText() {}

  public static String cut(String text, int maxBytes) {
    int end = 0;
    for (int bytes = 0; end < text.length(); ) {
      int next = text.offsetByCodePoints(end, 1);
      bytes += text.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > maxBytes) {
        break; // whole characters only
      }
      end = next;
    }
    return text.substring(0, end);
  }
}
