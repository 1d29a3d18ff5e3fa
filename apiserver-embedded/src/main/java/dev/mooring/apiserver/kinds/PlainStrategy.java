package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;

/** A kind about which nothing is known but how it looks in a table: its name and its age. */
class PlainStrategy implements Strategy {
  @Override
  public List<Column> columns() {
    return List.of(TableColumns.NAME, TableColumns.AGE);
  }

  @Override
  public List<JsonElement> columnValues(JsonObject object) {
    return List.of(TableColumns.name(object), TableColumns.age(object));
  }
}
