package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.kinds.declared.KindRules.Rule;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.model.TableColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

public final class DeclaredColumns {
  private DeclaredColumns() {}

  /**
   * Returns the columns of a kind. The first is its name, unless a rule places it elsewhere.
   *
   * @param key the key in {@code kinds.txt}
   */
  public static List<PrintedColumn> of(String key) {
    List<Rule> rules = KindRules.of(key).find("column");
    List<PrintedColumn> columns = new ArrayList<>();
    rules.forEach(rule -> columns.add(make(rule)));
    if (columns.stream().noneMatch(column -> column.name().equals(TableColumns.NAME.name()))) {
      columns.addFirst(TableColumns.NAME);
    }
    if (rules.isEmpty()) {
      columns.add(TableColumns.AGE);
    }
    return columns;
  }

  private static PrintedColumn make(Rule rule) {
    PrintedColumn common =
        switch (rule.detail()) {
          case "age()" -> TableColumns.AGE;
          case "created()" -> TableColumns.CREATED;
          case "metadata.name" -> TableColumns.NAME.wide();
          case "className()" -> TableColumns.NAME.withCell(makeCell(rule.detail(), ""));
          default -> null;
        };
    return common == null ? makeOther(rule) : common;
  }

  private static PrintedColumn makeOther(Rule rule) {
    boolean isWide = rule.subject().endsWith("*");
    String title = rule.subject().replace("*", "").replace('_', ' ');
    int colon = title.indexOf(':');
    String name = colon < 0 ? title : title.substring(0, colon);
    String type = colon < 0 ? "string" : title.substring(colon + 1);
    PrintedColumn column = new PrintedColumn(name, makeCell(rule.detail(), type)).withType(type);
    if (type.equals("name")) {
      column = new PrintedColumn(name, "string", type, name + " of the object", 0, column.cell());
    }
    return isWide ? column.wide() : column;
  }

  private static Function<JsonObject, JsonElement> makeCell(String cell, String type) {
    if (cell.startsWith("\"")) {
      return object -> new JsonPrimitive(cell.substring(1, cell.length() - 1));
    }
    int parenthesis = cell.indexOf('(');
    if (parenthesis >= 0) {
      String function = cell.substring(0, parenthesis);
      String argument = cell.substring(parenthesis + 1, cell.length() - 1);
      String[] path = argument.isEmpty() ? new String[0] : argument.split("\\.");
      return switch (function) {
        case "number" -> object -> findNumber(object, path);
        case "entries" -> object -> new JsonPrimitive(ObjectCells.countEntries(object, path));
        case "eventCount" -> ObjectCells::countEvents;
        case "count" -> object -> new JsonPrimitive(ComputedCells.count(object, path));
        case "flag" -> object -> new JsonPrimitive(flagAt(object, path));
        default -> object -> new JsonPrimitive(ComputedCells.compute(function, object, path));
      };
    }
    int bar = cell.indexOf('|');
    String[] path = (bar < 0 ? cell : cell.substring(0, bar)).split("\\.");
    String placeholder = bar < 0 ? "" : cell.substring(bar + 1);
    if (type.equals("integer")) {
      return object -> findNumber(object, path);
    }
    return object ->
        new JsonPrimitive(TableColumns.defaultIfEmpty(textAt(object, path), placeholder));
  }

  private static JsonPrimitive findNumber(JsonObject object, String[] path) {
    JsonElement number = valueAt(object, path);
    return new JsonPrimitive(number == null ? 0 : number.getAsLong());
  }
}
