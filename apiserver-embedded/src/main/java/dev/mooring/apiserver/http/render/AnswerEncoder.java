package dev.mooring.apiserver.http.render;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.ProtobufBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.http.render.AnswerForm.BodyEncoding;
import dev.mooring.apiserver.http.render.AnswerForm.ObjectForm;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

public final class AnswerEncoder {
  /**
   * Options of a table.
   *
   * @param includeObject the object in each row: None, Object, or else its metadata
   * @param includesColumns true to include column definitions, as the first event of a watch does
   */
  public record TableOptions(String includeObject, boolean includesColumns) {}

  private AnswerEncoder() {}

  private static byte[] encodeUtf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] encodePrefix(ResourceType type) {
    return encodeUtf8(
        "{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\"");
  }

  private static JsonObject getTree(ResourceType type, StoredObject object) {
    if (type.extras().custom().isPresent()) {
      return type.extras().custom().get().convertForReading(object.tree());
    }
    return type.strategy().toServedForm(object.tree());
  }

  private static byte[] encodeJson(ResourceType type, StoredObject object) {
    boolean hasOwnForm = type.isAlias() || type.isCustom();
    return hasOwnForm ? encodeUtf8(getTree(type, object).toString()) : object.json();
  }

  private static byte[] encodeMessage(ResourceType type, StoredObject object) {
    return type.isAlias()
        ? ProtobufBodies.encode(getTree(type, object), type.schema())
        : object.protobuf(t -> ProtobufBodies.encode(t, type.schema()));
  }

  /**
   * Encodes one object.
   *
   * @param includeObject the object in a table's row, as in {@link TableOptions}
   */
  public static byte[] encodeObject(
      ResourceType type, StoredObject object, AnswerForm form, String includeObject) {
    return switch (form.shape()) {
      case OBJECT ->
          switch (form.encoding()) {
            case JSON -> encodeWithKind(type, encodeJson(type, object));
            case PROTOBUF ->
                ProtobufBodies.makeEnvelope(
                    type.apiVersion(), type.kind(), encodeMessage(type, object));
            case YAML ->
                encodeYaml(
                    new String(
                        encodeWithKind(type, encodeJson(type, object)), StandardCharsets.UTF_8));
          };
      case METADATA, METADATA_LIST -> encodeUtf8(makeMetadata(type, object, form).toString());
      case TABLE ->
          encodeUtf8(encodeTable(type, object, form, new TableOptions(includeObject, true)));
    };
  }

  private static JsonObject makeVersionMetadata(StoredObject object) {
    JsonObject metadata = new JsonObject();
    if (object.version() > 0) {
      metadata.addProperty("resourceVersion", Long.toString(object.version()));
    }
    return metadata;
  }

  private static byte[] encodeWithKind(ResourceType type, byte[] tree) {
    byte[] prefix = encodePrefix(type);
    ByteArrayOutputStream out = new ByteArrayOutputStream(prefix.length + tree.length + 1);
    out.writeBytes(prefix);
    if (tree.length > 2) {
      out.write(',');
    }
    out.write(tree, 1, tree.length - 1);
    return out.toByteArray();
  }

  public static byte[] encodeTree(JsonObject answer, BodyEncoding encoding) {
    return switch (encoding) {
      case JSON -> encodeUtf8(answer + "\n");
      case YAML -> encodeYaml(answer.toString());
      case PROTOBUF -> encodeMessage(answer);
    };
  }

  private static byte[] encodeMessage(JsonObject answer) {
    String kind = textAt(answer, "kind");
    return ProtobufBodies.makeEnvelope(
        textAt(answer, "apiVersion"), kind, ProtobufBodies.encode(answer, Schema.getMessage(kind)));
  }

  private static byte[] encodeYaml(String json) {
    return encodeUtf8(YamlBodies.fromJson(json));
  }

  private static JsonObject makeMetadata(ResourceType type, StoredObject object, AnswerForm form) {
    JsonObject partial =
        newObject("kind", "PartialObjectMetadata", "apiVersion", form.apiVersion());
    partial.add("metadata", getTree(type, object).get("metadata"));
    return partial;
  }

  /**
   * Encodes a list.
   *
   * @param metadata the metadata of the list
   * @param includeObject the object in a table's row, as in {@link TableOptions}
   * @throws StatusException if the form is only for single objects
   */
  public static byte[] encodeList(
      ResourceType type,
      Collection<StoredObject> objects,
      JsonObject metadata,
      AnswerForm form,
      String includeObject)
      throws StatusException {
    return switch (form.shape()) {
      case OBJECT -> encodeObjects(type, objects, metadata, form.encoding());
      case METADATA -> throw StatusException.notAcceptable(AnswerForm.UNSUPPORTED_MESSAGE);
      case METADATA_LIST -> {
        JsonArray items = new JsonArray();
        objects.forEach(o -> items.add(makeMetadata(type, o, form)));
        JsonObject list = newObject("kind", "PartialObjectMetadataList");
        list.addProperty("apiVersion", form.apiVersion());
        list.add("metadata", metadata);
        list.add("items", items);
        yield encodeUtf8(list.toString());
      }
      case TABLE ->
          encodeUtf8(
              makeTable(type, objects, metadata, form, new TableOptions(includeObject, true))
                  .toString());
    };
  }

  // Lists of custom resources have an empty continue member on the last page.
  private static JsonObject addContinue(JsonObject metadata) {
    JsonObject result = newObject("continue", "");
    metadata.entrySet().forEach(m -> result.add(m.getKey(), m.getValue()));
    return result;
  }

  private static byte[] encodeObjects(
      ResourceType type,
      Collection<StoredObject> objects,
      JsonObject metadata,
      BodyEncoding encoding) {
    if (encoding == BodyEncoding.PROTOBUF) {
      List<byte[]> items = new ArrayList<>();
      objects.forEach(o -> items.add(encodeMessage(type, o)));
      return ProtobufBodies.makeEnvelope(
          type.apiVersion(), type.kind() + "List", ProtobufBodies.encodeList(metadata, items));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(256 + 1024 * objects.size());
    out.writeBytes(
        encodeUtf8(
            "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
                .formatted(
                    type.kind(),
                    type.apiVersion(),
                    type.isCustom() ? addContinue(metadata) : metadata)));
    boolean isFirst = true;
    for (StoredObject object : objects) {
      if (!isFirst) {
        out.write(',');
      }
      isFirst = false;
      out.writeBytes(
          type.isCustom()
              ? encodeWithKind(type, encodeJson(type, object))
              : encodeJson(type, object));
    }
    out.writeBytes(encodeUtf8("]}"));
    return encoding == BodyEncoding.YAML
        ? encodeYaml(out.toString(StandardCharsets.UTF_8))
        : out.toByteArray();
  }

  private static JsonObject makeTable(
      ResourceType type,
      Collection<StoredObject> objects,
      JsonObject metadata,
      AnswerForm form,
      TableOptions options) {
    JsonObject table = newObject("kind", "Table", "apiVersion", form.apiVersion());
    table.add("metadata", metadata);
    List<PrintedColumn> columns = type.columns();
    table.add(
        "columnDefinitions",
        options.includesColumns() ? makeDefinitions(columns) : JsonNull.INSTANCE);
    JsonArray rows = new JsonArray();
    objects.forEach(
        object -> rows.add(makeRow(type, object, form, options.includeObject(), columns)));
    boolean hasOnlyDefaultColumns =
        options.includesColumns() && columns.contains(TableColumns.CREATED);
    table.add("rows", hasOnlyDefaultColumns && rows.isEmpty() ? JsonNull.INSTANCE : rows);
    return table;
  }

  private static JsonArray makeDefinitions(List<PrintedColumn> columns) {
    JsonArray definitions = new JsonArray();
    for (PrintedColumn column : columns) {
      JsonObject definition = newObject("name", column.name(), "type", column.type());
      definition.addProperty("format", column.format());
      definition.addProperty("description", column.description());
      definition.addProperty("priority", column.priority());
      definitions.add(definition);
    }
    return definitions;
  }

  private static JsonObject makeRow(
      ResourceType type,
      StoredObject object,
      AnswerForm form,
      String includeObject,
      List<PrintedColumn> columns) {
    JsonObject row = new JsonObject();
    JsonArray cells = new JsonArray();
    JsonObject shownTree = type.isCustom() ? getTree(type, object) : object.tree();
    columns.forEach(column -> cells.add(column.cell().apply(shownTree)));
    row.add("cells", cells);
    switch (includeObject) {
      case "None" -> row.add("object", JsonNull.INSTANCE);
      case "Object" -> {
        JsonObject full = getTree(type, object).deepCopy();
        full.addProperty("kind", type.kind());
        full.addProperty("apiVersion", type.apiVersion());
        row.add("object", full);
      }
      default -> row.add("object", makeMetadata(type, object, form));
    }
    return row;
  }

  private static String encodeTable(
      ResourceType type, StoredObject object, AnswerForm form, TableOptions options) {
    return makeTable(type, List.of(object), makeVersionMetadata(object), form, options).toString();
  }

  /**
   * Encodes a watch event and the line end.
   *
   * @param eventType ADDED, MODIFIED or DELETED
   * @param options options if the form is a table
   */
  public static byte[] encodeEvent(
      ResourceType type,
      String eventType,
      StoredObject object,
      AnswerForm form,
      TableOptions options) {
    if (form.encoding() == BodyEncoding.PROTOBUF) {
      return ProtobufBodies.makeFrame(
          eventType, encodeObject(type, object, form, options.includeObject()));
    }
    byte[] body =
        form.shape() == ObjectForm.TABLE
            ? encodeUtf8(encodeTable(type, object, form, options))
            : encodeObject(
                type,
                object,
                new AnswerForm(BodyEncoding.JSON, form.shape(), form.version()),
                options.includeObject());
    return encodeLine(eventType, body);
  }

  private static byte[] encodeLine(String eventType, byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 40);
    out.writeBytes(encodeUtf8("{\"type\":\"" + eventType + "\",\"object\":"));
    out.writeBytes(body);
    out.writeBytes(encodeUtf8("}\n"));
    return out.toByteArray();
  }

  /**
   * Encodes a bookmark and the line end.
   *
   * @param endsInitialEvents true to annotate the end of the initial events
   * @param includesColumns true if a table includes column definitions
   */
  public static byte[] encodeBookmark(
      ResourceType type,
      long version,
      boolean endsInitialEvents,
      AnswerForm form,
      boolean includesColumns) {
    JsonObject tree = new JsonObject();
    JsonObject metadata = getOrAddChild(tree, "metadata");
    metadata.addProperty("resourceVersion", Long.toString(version));
    if (endsInitialEvents) {
      getOrAddChild(metadata, "annotations").addProperty("k8s.io/initial-events-end", "true");
    }
    if (form.encoding() == BodyEncoding.PROTOBUF) {
      return ProtobufBodies.makeFrame(
          "BOOKMARK",
          ProtobufBodies.makeEnvelope(
              type.apiVersion(), type.kind(), ProtobufBodies.encode(tree, type.schema())));
    }
    if (form.shape() == ObjectForm.OBJECT) {
      return encodeLine("BOOKMARK", encodeWithKind(type, encodeUtf8(tree.toString())));
    }
    if (form.shape() == ObjectForm.TABLE) {
      StoredObject placeholder =
          new StoredObject("", tree, version); // a table needs a row even for a bookmark
      return encodeLine(
          "BOOKMARK",
          encodeUtf8(encodeTable(type, placeholder, form, new TableOptions("", includesColumns))));
    }
    tree.addProperty("kind", "PartialObjectMetadata");
    tree.addProperty("apiVersion", form.apiVersion());
    return encodeLine("BOOKMARK", encodeUtf8(tree.toString()));
  }

  public static byte[] encodeError(StatusException refusal, AnswerForm form) {
    if (form.encoding() == BodyEncoding.PROTOBUF) {
      return ProtobufBodies.makeFrame("ERROR", encodeMessage(refusal.status()));
    }
    return encodeLine("ERROR", encodeUtf8(refusal.status().toString()));
  }
}
