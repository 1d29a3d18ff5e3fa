package dev.mooring.apiserver.kinds.model;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.KindStrategy.PrintedColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

public final class TableColumns {
  public static final PrintedColumn NAME =
      new PrintedColumn(
          "Name", "string", "name", "The object's name, unique within its namespace.", 0);
  public static final PrintedColumn AGE =
      new PrintedColumn("Age", "string", "", "How long ago the server created the object.", 0);
  public static final PrintedColumn CREATED = PrintedColumn.CREATED;

  private TableColumns() {}

  public static PrintedColumn column(String name) {
    return new PrintedColumn(name, "string", "", name + " of the object", 0);
  }

  public static PrintedColumn column(String name, String type) {
    return new PrintedColumn(name, type, "", name + " of the object", 0);
  }

  public static PrintedColumn wideColumn(String name) {
    return new PrintedColumn(name, "string", "", name + " of the object", 1);
  }

  public static JsonElement value(String value) {
    return new JsonPrimitive(value);
  }

  public static JsonElement value(boolean value) {
    return new JsonPrimitive(value);
  }

  public static JsonElement value(long value) {
    return new JsonPrimitive(value);
  }

  public static JsonElement name(JsonObject object) {
    return value(text(object, "metadata", "name"));
  }

  public static JsonElement created(JsonObject object) {
    return value(text(object, "metadata", "creationTimestamp"));
  }

  public static JsonElement age(JsonObject object) {
    return formatSince(text(object, "metadata", "creationTimestamp"));
  }

  public static JsonElement formatSince(String time) {
    Instant then = CanonicalValues.parseTime(time);
    return value(
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
    if (dev.mooring.apiserver.codec.JsonBodies.at(object, "status", "conditions")
        instanceof com.google.gson.JsonArray conditions) {
      for (JsonElement condition : conditions) {
        for (String time : times) {
          if (!condition.getAsJsonObject().has(time)) {
            condition.getAsJsonObject().add(time, com.google.gson.JsonNull.INSTANCE);
          }
        }
      }
    }
  }

  public static String orElse(String value, String otherwise) {
    return value.isEmpty() ? otherwise : value;
  }

  public static String abbreviateModes(List<String> modes) {
    Set<String> present = new LinkedHashSet<>();
    for (String known :
        List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")) {
      if (modes.contains(known)) {
        present.add(
            switch (known) {
              case "ReadWriteOnce" -> "RWO";
              case "ReadOnlyMany" -> "ROX";
              case "ReadWriteMany" -> "RWX";
              default -> "RWOP";
            });
      }
    }
    return present.stream().collect(Collectors.joining(","));
  }
}
