package dev.mooring.apiserver.kinds.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.function.Function;

/**
 * A column of the tables that kubectl prints.
 *
 * @param type string, integer, boolean, date
 * @param format name or ""
 * @param priority 0 for always, 1 for -o wide
 * @param cell computes the value for an object
 */
public record PrintedColumn(
    String name,
    String type,
    String format,
    String description,
    int priority,
    Function<JsonObject, JsonElement> cell) {
  public PrintedColumn(String name, Function<JsonObject, JsonElement> cell) {
    this(name, "string", "", name + " of the object", 0, cell);
  }

  /** Returns the column with priority 1: kubectl prints it with {@code -o wide} only. */
  public PrintedColumn wide() {
    return new PrintedColumn(name, type, format, description, 1, cell);
  }

  public PrintedColumn withType(String otherType) {
    return new PrintedColumn(name, otherType, format, description, priority, cell);
  }

  public PrintedColumn withCell(Function<JsonObject, JsonElement> otherCell) {
    return new PrintedColumn(name, type, format, description, priority, otherCell);
  }
}
