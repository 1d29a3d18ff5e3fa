package dev.mooring.apiserver.kinds.model;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.flag;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
import java.util.function.Function;
import java.util.function.ToLongFunction;
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
          o -> new JsonPrimitive(text(o, "metadata", "name")));
  public static final PrintedColumn AGE =
      new PrintedColumn(
          "Age",
          "string",
          "",
          "How long ago the server created the object.",
          0,
          o -> formatSince(text(o, "metadata", "creationTimestamp")));

  /** The column of kinds that define none. */
  public static final PrintedColumn CREATED =
      new PrintedColumn(
          "Created At",
          "date",
          "",
          "When the object was created.",
          0,
          o -> new JsonPrimitive(text(o, "metadata", "creationTimestamp")));

  private static final Map<String, String> SHORT_MODES = new LinkedHashMap<>();

  static {
    SHORT_MODES.put("ReadWriteOnce", "RWO");
    SHORT_MODES.put("ReadOnlyMany", "ROX");
    SHORT_MODES.put("ReadWriteMany", "RWX");
    SHORT_MODES.put("ReadWriteOncePod", "RWOP");
  }

  private TableColumns() {}

  public static PrintedColumn column(String name, String... path) {
    return computed(name, o -> text(o, path));
  }

  public static PrintedColumn columnOr(String none, String name, String... path) {
    return computed(name, o -> orElse(text(o, path), none));
  }

  public static PrintedColumn computed(String name, Function<JsonObject, String> text) {
    return new PrintedColumn(name, o -> new JsonPrimitive(text.apply(o)));
  }

  public static PrintedColumn flagColumn(String name, String... path) {
    return new PrintedColumn(name, o -> new JsonPrimitive(flag(o, path))).withType("boolean");
  }

  public static PrintedColumn numberColumn(String name, String... path) {
    return countColumn(
        name,
        o -> {
          JsonElement number = at(o, path);
          return number == null ? 0 : number.getAsLong();
        });
  }

  public static PrintedColumn countColumn(String name, ToLongFunction<JsonObject> count) {
    return new PrintedColumn(name, o -> new JsonPrimitive(count.applyAsLong(o)))
        .withType("integer");
  }

  public static String formatPhase(JsonObject object) {
    return text(object, "metadata", "deletionTimestamp").isEmpty()
        ? text(object, "status", "phase")
        : "Terminating";
  }

  public static JsonElement formatSince(String time) {
    Instant then = CanonicalValues.parseTime(time);
    return new JsonPrimitive(
        then == null ? "<unknown>" : formatDuration(Duration.between(then, Instant.now())));
  }

  private static String formatDuration(Duration age) {
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
    boolean plain = days >= 8 * 365 || days % 365 == 0;
    return days / 365 + "y" + (plain ? "" : days % 365 + "d");
  }

  /** Conditions show missing times as null. */
  public static void addNullTimes(JsonObject object, String... times) {
    if (at(object, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement condition : conditions) {
        for (String time : times) {
          if (!condition.getAsJsonObject().has(time)) {
            condition.getAsJsonObject().add(time, JsonNull.INSTANCE);
          }
        }
      }
    }
  }

  public static String orElse(String value, String otherwise) {
    return value.isEmpty() ? otherwise : value;
  }

  public static String abbreviateModes(List<String> modes) {
    return SHORT_MODES.entrySet().stream()
        .filter(mode -> modes.contains(mode.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.joining(","));
  }
}
