package dev.mooring.kube;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

final class EventLimits {
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_NOTE_BYTES = 1024;
  private static final String CUT = "...";
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

  private EventLimits() {}

  /**
   * Returns the name of an event: the object's name followed by the time. If the server would
   * reject that name as too long or not a DNS subdomain, returns a random UUID, as client-go's
   * GenerateEventName does.
   *
   * @param nanos unique among the events of the object
   */
  static String name(String object, long nanos) {
    String name = object + "." + Long.toHexString(nanos);
    return isSubdomain(name) ? name : UUID.randomUUID().toString();
  }

  private static boolean isSubdomain(String name) {
    if (name.length() > LONGEST_NAME) {
      return false;
    }
    for (String label : name.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  static String cut(String note) {
    if (note.length() * 3L <= LONGEST_NOTE_BYTES || bytes(note) <= LONGEST_NOTE_BYTES) {
      return note;
    }
    int end = 0;
    int room = LONGEST_NOTE_BYTES - CUT.length();
    while (end < note.length()) {
      String one = Character.toString(note.codePointAt(end));
      room -= bytes(one);
      if (room < 0) {
        break;
      }
      end += one.length();
    }
    return note.substring(0, end) + CUT;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
