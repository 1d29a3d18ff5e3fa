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

final class DeclaredColumns {
  private DeclaredColumns() {}

  static List<PrintedColumn> make(List<Rule> rules) {
    List<PrintedColumn> columns = new ArrayList<>();
    columns.add(TableColumns.NAME);
    rules.forEach(rule -> columns.add(make(rule)));
    return rules.isEmpty() ? List.of(TableColumns.NAME, TableColumns.AGE) : columns;
  }

  private static PrintedColumn make(Rule rule) {
    if (rule.detail().equals("age()")) {
      return TableColumns.AGE;
    }
    boolean isWide = rule.subject().endsWith("*");
    String title = rule.subject().replace("*", "").replace('_', ' ');
    int colon = title.indexOf(':');
    String name = colon < 0 ? title : title.substring(0, colon);
    String type = colon < 0 ? "string" : title.substring(colon + 1);
    PrintedColumn column = new PrintedColumn(name, makeCell(rule.detail(), type)).withType(type);
    return isWide ? column.wide() : column;
  }

  private static Function<JsonObject, JsonElement> makeCell(String cell, String type) {
    int parenthesis = cell.indexOf('(');
    if (parenthesis >= 0) {
      String function = cell.substring(0, parenthesis);
      String argument = cell.substring(parenthesis + 1, cell.length() - 1);
      String[] path = argument.isEmpty() ? new String[0] : argument.split("\\.");
      return switch (function) {
        case "number" -> object -> findNumber(object, path);
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
