package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Values;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** ResourceQuotas. */
final class QuotaRules extends PlainRules {
  @Override
  public void prepareCreate(JsonObject object) {
    object.add("status", new JsonObject());
  }

  @Override
  public void setDefaults(JsonObject object) {
    child(object, "spec");
    child(object, "status");
  }

  @Override
  public void validate(JsonObject object, Causes causes) {
    amounts(object, "spec", "hard", causes);
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, Causes causes) {
    amounts(object, "status", "hard", causes);
    amounts(object, "status", "used", causes);
  }

  private static void amounts(JsonObject object, String part, String field, Causes causes) {
    if (at(object, part, field) instanceof JsonObject amounts) {
      for (Map.Entry<String, JsonElement> entry : amounts.entrySet()) {
        String where = part + "." + field + "[" + entry.getKey() + "]";
        Names.qualified(entry.getKey(), where, causes);
        BigDecimal amount = Values.amount(entry.getValue().getAsString());
        if (amount != null && amount.signum() < 0) {
          causes.invalid(
              where, entry.getValue().getAsString(), "must be greater than or equal to 0");
        }
      }
    }
  }

  @Override
  public List<Column> columns() {
    return List.of(Cells.NAME, Cells.column("Request"), Cells.column("Limit"), Cells.AGE);
  }

  @Override
  public List<JsonElement> cells(JsonObject o) {
    return List.of(Cells.name(o), Cells.cell(""), Cells.cell(""), Cells.age(o));
  }
}
