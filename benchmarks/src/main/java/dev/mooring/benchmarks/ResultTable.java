package dev.mooring.benchmarks;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A table of results, printed with a column per figure and written as JSON with a member per
 * figure. A column is as wide as its longest text; numbers are aligned to the right. A figure that
 * is NaN is printed as "-" and has no member.
 *
 * @param <R> type of the results, one per row
 */
public final class ResultTable<R> {
  private record Column<R>(String heading, String format, Function<R, ?> figure) {
    private String text(R result) {
      Object value = figure.apply(result);
      return isMissing(value) ? "-" : format.formatted(value);
    }

    private boolean isNumber(List<R> results) {
      return results.stream().anyMatch(result -> figure.apply(result) instanceof Number);
    }
  }

  private final List<Column<R>> columns = new ArrayList<>();
  private final Map<String, Function<R, ?>> members = new LinkedHashMap<>();

  private static boolean isMissing(Object value) {
    return value instanceof Double number && number.isNaN();
  }

  public ResultTable<R> figure(
      String heading, String format, String member, Function<R, ?> figure) {
    return column(heading, format, figure).member(member, figure);
  }

  public ResultTable<R> column(String heading, String format, Function<R, ?> figure) {
    columns.add(new Column<>(heading, format, figure));
    return this;
  }

  public ResultTable<R> member(String name, Function<R, ?> figure) {
    members.put(name, figure);
    return this;
  }

  public void print(List<R> results) {
    TextTable table =
        new TextTable(
            TextTable.UNLIMITED, columns.stream().map(Column::heading).toArray(String[]::new));
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).isNumber(results)) {
        table.alignRight(i);
      }
    }
    for (R result : results) {
      table.row(columns.stream().map(column -> column.text(result)).toArray(String[]::new));
    }
    System.out.print(table);
  }

  public JsonArray json(List<R> results) {
    JsonArray array = new JsonArray();
    results.forEach(result -> array.add(json(result)));
    return array;
  }

  public JsonObject json(R result) {
    JsonObject object = new JsonObject();
    members.forEach((name, figure) -> {
      Object value = figure.apply(result);
      if (!isMissing(value)) {
        object.add(name, new Gson().toJsonTree(value));
      }
    });
    return object;
  }
}
