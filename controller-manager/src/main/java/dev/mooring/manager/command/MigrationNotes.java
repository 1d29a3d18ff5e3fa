package dev.mooring.manager.command;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a migration does not take, a line each: the key, its value, and what can be done. */
final class MigrationNotes {
  /** The remedy for a key that may be newer than this program. */
  static final String UNKNOWN =
      "Mooring does nothing of the kind; look up what it does in your version of local-path-provisioner, which passes over what it does not know";

  private static final int LONGEST_VALUE = 120;
  private static final Gson COMPACT = new GsonBuilder().disableHtmlEscaping().create();

  private final List<String> lines = new ArrayList<>();

  /** One of them. */
  void add(String key, @Nullable Object value, String remedy) {
    lines.add(key + " " + shown(value) + " is not taken: " + remedy);
  }

  /** What has to be known or done besides. */
  void tell(String line) {
    lines.add(line);
  }

  /** All, in the order in which they were found. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** A value on one line. */
  static String shown(@Nullable Object value) {
    String text = COMPACT.toJson(value);
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE - 3) + "...";
  }
}
