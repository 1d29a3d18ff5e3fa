package dev.mooring.apiserver.kinds.model;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.CanonicalValues;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns that several kinds print, and the formats of their cells. */
public final class TableColumns {
  public static final PrintedColumn NAME =
      new PrintedColumn(
          "Name",
          "string",
          "name",
          "The object's name, unique within its namespace.",
          0,
          o -> new JsonPrimitive(textAt(o, "metadata", "name")));
  public static final PrintedColumn AGE =
      new PrintedColumn(
          "Age",
          "string",
          "",
          "How long ago the server created the object.",
          0,
          o -> formatSince(textAt(o, "metadata", "creationTimestamp")));

  /** The column of kinds that define none. */
  public static final PrintedColumn CREATED =
      new PrintedColumn(
          "Created At",
          "date",
          "",
          "When the object was created.",
          0,
          o -> new JsonPrimitive(textAt(o, "metadata", "creationTimestamp")));

  private static final Map<String, String> SHORT_MODES = new LinkedHashMap<>();

  static {
    SHORT_MODES.put("ReadWriteOnce", "RWO");
    SHORT_MODES.put("ReadOnlyMany", "ROX");
    SHORT_MODES.put("ReadWriteMany", "RWX");
    SHORT_MODES.put("ReadWriteOncePod", "RWOP");
  }

  private TableColumns() {}

  public static String formatPhase(JsonObject object) {
    return textAt(object, "metadata", "deletionTimestamp").isEmpty()
        ? textAt(object, "status", "phase")
        : "Terminating";
  }

  /** Formats the age like kubectl; {@code <unknown>} if the text is no time. */
  public static JsonElement formatSince(String time) {
    Instant instant = CanonicalValues.parseTime(time);
    return new JsonPrimitive(
        instant == null ? "<unknown>" : formatDuration(Duration.between(instant, Instant.now())));
  }

  public static String formatDuration(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 600) {
      return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : seconds % 60 + "s");
    }
    if (seconds < 3 * 3600) {
      return seconds / 60 + "m";
    }
    if (seconds < 8 * 3600) {
      return seconds / 3600 + "h" + (seconds / 60 % 60 == 0 ? "" : seconds / 60 % 60 + "m");
    }
    long hours = seconds / 3600;
    if (hours < 48) {
      return hours + "h";
    }
    if (hours < 8 * 24) {
      return hours / 24 + "d" + (hours % 24 == 0 ? "" : hours % 24 + "h");
    }
    long days = hours / 24;
    if (days < 2 * 365) {
      return days + "d";
    }
    boolean omitsDays = days >= 8 * 365 || days % 365 == 0;
    return days / 365 + "y" + (omitsDays ? "" : days % 365 + "d");
  }

  /** Adds JSON null for every listed time that a condition lacks. */
  public static void addNullTimes(JsonObject object, String... timeFields) {
    if (valueAt(object, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement condition : conditions) {
        for (String timeField : timeFields) {
          if (!condition.getAsJsonObject().has(timeField)) {
            condition.getAsJsonObject().add(timeField, JsonNull.INSTANCE);
          }
        }
      }
    }
  }

  public static String defaultIfEmpty(String value, String defaultText) {
    return value.isEmpty() ? defaultText : value;
  }

  public static String abbreviateModes(List<String> modes) {
    return SHORT_MODES.entrySet().stream()
        .filter(mode -> modes.contains(mode.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining(","));
  }
}
