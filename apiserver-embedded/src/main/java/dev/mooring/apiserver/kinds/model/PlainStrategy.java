package dev.mooring.apiserver.kinds.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;

public class PlainStrategy implements KindStrategy {
  @Override
  public List<PrintedColumn> getColumns() {
    return List.of(TableColumns.NAME, TableColumns.AGE);
  }

  @Override
  public List<JsonElement> formatCells(JsonObject object) {
    return List.of(TableColumns.name(object), TableColumns.age(object));
  }
}
