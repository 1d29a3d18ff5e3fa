package dev.mooring.binder.decide;

import java.util.Arrays;
import java.util.Optional;

/**
 * Adds a reason's code and remedy to the note of an event, and parses them back. The code shows
 * readers of events whether a retry can help.
 */
public final class CodedNote {
  private static final String BEFORE = " [";
  private static final String BEHIND = "]; what to do: ";

  private CodedNote() {}

  public static String note(Reason why, String note) {
    return note + BEFORE + why.code() + BEHIND + why.remedy();
  }

  public static Optional<Reason> of(String note) {
    int behind = note.lastIndexOf(BEHIND);
    int before = behind < 0 ? -1 : note.lastIndexOf(BEFORE, behind);
    return before < 0
        ? Optional.empty()
        : Arrays.stream(Reason.values())
            .filter(why -> why.code().equals(note.substring(before + BEFORE.length(), behind)))
            .findFirst();
  }

  public static String withoutCode(String note) {
    return of(note).isEmpty()
        ? note
        : note.substring(0, note.lastIndexOf(BEFORE, note.lastIndexOf(BEHIND)));
  }
}
