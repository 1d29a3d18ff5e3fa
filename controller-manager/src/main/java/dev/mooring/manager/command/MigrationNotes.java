package dev.mooring.manager.command;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class MigrationNotes {
  /** Remedy for unknown keys, which may be newer than this program. */
  static final String UNKNOWN =
      "Mooring has no such setting; check its effect in your version of local-path-provisioner, which ignores unknown keys";

  private static final int LONGEST_VALUE = 120;
  private static final Gson COMPACT = new GsonBuilder().disableHtmlEscaping().create();

  private final List<String> lines = new ArrayList<>();

  void add(String key, @Nullable Object value, String remedy) {
    lines.add(key + " " + format(value) + " is not supported: " + remedy);
  }

  void addText(String line) {
    lines.add(line);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  static String format(@Nullable Object value) {
    String text = COMPACT.toJson(value);
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE - 3) + "...";
  }
}
