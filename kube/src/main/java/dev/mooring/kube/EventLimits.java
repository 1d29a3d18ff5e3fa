package dev.mooring.kube;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

final class EventLimits {
  private static final int MAX_NAME_LENGTH = 253;
  private static final int MAX_NOTE_BYTES = 1024;
  private static final String ELLIPSIS = "...";
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

  private EventLimits() {}

  /**
   * Returns the name of an event: the object's name followed by the time. If the server would
   * reject that name as too long or not a DNS subdomain, returns a random UUID, as client-go's
   * GenerateEventName does.
   *
   * @param nanos unique among the events of the object
   */
  static String makeName(String object, long nanos) {
    String name = object + "." + Long.toHexString(nanos);
    return isSubdomain(name) ? name : UUID.randomUUID().toString();
  }

  private static boolean isSubdomain(String name) {
    if (name.length() > MAX_NAME_LENGTH) {
      return false;
    }
    for (String label : name.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  static String truncateNote(String note) {
    if (note.length() * 3L <= MAX_NOTE_BYTES || countBytes(note) <= MAX_NOTE_BYTES) {
      return note;
    }
    int endIndex = 0;
    int remainingBytes = MAX_NOTE_BYTES - ELLIPSIS.length();
    while (endIndex < note.length()) {
      String character = Character.toString(note.codePointAt(endIndex));
      remainingBytes -= countBytes(character);
      if (remainingBytes < 0) {
        break;
      }
      endIndex += character.length();
    }
    return note.substring(0, endIndex) + ELLIPSIS;
  }

  private static int countBytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
