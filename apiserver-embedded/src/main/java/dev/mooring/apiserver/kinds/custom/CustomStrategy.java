package dev.mooring.apiserver.kinds.custom;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.kinds.model.CustomSchema;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.kinds.rules.MemberDefaults;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

final class CustomStrategy implements KindStrategy {
  @Override
  public MetadataChecks getMetadataChecks() {
    return MetadataChecks.CHANGE_ONLY;
  }

  private static final BigDecimal MAX_REPLICAS = BigDecimal.valueOf(Integer.MAX_VALUE);

  private final CustomSchema custom;
  private final List<PrintedColumn> columns = new ArrayList<>();
  private final List<String> selectableFields = new ArrayList<>();
  private final List<String> replicaPaths = new ArrayList<>();

  CustomStrategy(CustomSchema custom, JsonObject version) {
    this.custom = custom;
    columns.add(NAME);
    if (valueAt(version, "additionalPrinterColumns") instanceof JsonArray list) {
      list.forEach(c -> columns.add(makeColumn(c.getAsJsonObject())));
    } else {
      JsonObject age = newObject("name", "Age", "type", "date");
      age.addProperty("jsonPath", ".metadata.creationTimestamp");
      columns.add(makeColumn(age));
    }
    if (valueAt(version, "subresources", "scale") instanceof JsonObject scale) {
      replicaPaths.add(textAt(scale, "specReplicasPath"));
      replicaPaths.add(textAt(scale, "statusReplicasPath"));
    }
    if (valueAt(version, "selectableFields") instanceof JsonArray list) {
      list.forEach(f -> selectableFields.add(textAt(f.getAsJsonObject(), "jsonPath").substring(1)));
    }
  }

  @Override
  public void prepareCreate(JsonObject object) {
    getOrAddChild(object, "metadata").addProperty("generation", 1);
    if (custom.hasStatus()) {
      object.remove("status");
    }
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonObject content = copyContent(object);
    JsonObject oldContent = copyContent(old);
    if (!content.equals(oldContent)) {
      MemberDefaults.incrementGeneration(object, old);
    }
  }

  private JsonObject copyContent(JsonObject object) {
    JsonObject content = new JsonObject();
    object.entrySet().forEach(m -> content.add(m.getKey(), m.getValue()));
    content.remove("metadata");
    if (custom.hasStatus()) {
      content.remove("status");
    }
    return content;
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    JsonElement managedFields = valueAt(object, "metadata", "managedFields");
    JsonObject metadata = old.getAsJsonObject("metadata").deepCopy();
    if (managedFields != null) {
      metadata.add("managedFields", managedFields);
    }
    object.add("metadata", metadata);
    if (!old.has("status") && object.get("status") instanceof JsonObject o && o.isEmpty()) {
      object.remove("status");
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    CustomValidation.validate(object, null, custom.schema(), errors);
    validateScale(object, errors);
  }

  private static String formatValue(JsonElement value) {
    String type =
        switch (CustomValidation.getTypeName(value)) {
          case "object" -> "map[string]interface {}";
          case "array" -> "[]interface {}";
          case "boolean" -> "bool";
          case "string" -> "string";
          default -> "float64";
        };
    String formatted =
        type.equals("float64")
            ? value.getAsBigDecimal().stripTrailingZeros().toPlainString()
            : value.isJsonPrimitive() ? value.getAsString() : value.toString();
    return formatted + " is of the type " + type;
  }

  private void validateScale(JsonObject object, FieldErrors errors) {
    for (String path : replicaPaths) {
      JsonElement value = JsonPath.find(object, path);
      if (value == null || value.isJsonNull()) {
        continue;
      }
      if (!(value instanceof JsonPrimitive number)
          || !number.isNumber()
          || !number.getAsString().matches("-?\\d+")) {
        errors.addInvalid(
            path, 0, path + " accessor error: " + formatValue(value) + ", expected int64");
      } else if (number.getAsBigDecimal().signum() < 0) {
        errors.addInvalid(path, number, "should be a non-negative integer");
      } else if (number.getAsBigDecimal().compareTo(MAX_REPLICAS) > 0) {
        errors.addInvalid(path, number, "should be less than or equal to 2147483647");
      }
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    CustomValidation.validate(object, old, custom.schema(), errors);
    validateScale(object, errors);
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    CustomValidation.validate(object, old, custom.schema(), errors);
    validateScale(object, errors);
  }

  @Override
  public @Nullable String findSelectableValue(JsonObject object, String field) {
    if (!selectableFields.contains(field)) {
      return null;
    }
    JsonElement value = JsonPath.find(object, "." + field);
    return value == null ? "" : value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }

  List<PrintedColumn> getColumns() {
    return columns;
  }

  private static PrintedColumn makeColumn(JsonObject column) {
    String path = textAt(column, "jsonPath");
    JsonElement priority = valueAt(column, "priority");
    return new PrintedColumn(
        textAt(column, "name"),
        textAt(column, "type"),
        textAt(column, "format"),
        defaultIfEmpty(
            textAt(column, "description"),
            "Custom resource definition column (in JSONPath format): " + path),
        priority == null ? 0 : priority.getAsInt(),
        object -> formatCell(JsonPath.find(object, path), textAt(column, "type")));
  }

  private static JsonElement formatCell(@Nullable JsonElement value, String type) {
    if (value == null) {
      return JsonNull.INSTANCE;
    }
    JsonPrimitive primitive = value instanceof JsonPrimitive p ? p : null;
    return switch (type) {
      case "date" ->
          primitive == null ? JsonNull.INSTANCE : TableColumns.formatSince(primitive.getAsString());
      case "integer", "number" ->
          primitive != null && primitive.isNumber() ? primitive : JsonNull.INSTANCE;
      case "boolean" -> primitive != null && primitive.isBoolean() ? primitive : JsonNull.INSTANCE;
      default ->
          primitive != null && primitive.isString()
              ? primitive
              : new JsonPrimitive(Objects.toString(value));
    };
  }
}
