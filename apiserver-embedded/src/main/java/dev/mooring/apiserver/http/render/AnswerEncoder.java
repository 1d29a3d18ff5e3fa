package dev.mooring.apiserver.http.render;

import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.ProtobufBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.http.render.AnswerForm.BodyEncoding;
import dev.mooring.apiserver.http.render.AnswerForm.ObjectForm;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.core.EventStrategy;
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
   * @param columns true to include column definitions, as the first event of a watch does
   */
  public record TableOptions(String includeObject, boolean columns) {}

  private AnswerEncoder() {}

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] prefix(ResourceType type) {
    return utf8("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\"");
  }

  private static JsonObject tree(ResourceType type, StoredObject object) {
    if (type.extras().custom().isPresent()) {
      return type.extras().custom().get().convertForReading(object.tree());
    }
    return EventStrategy.toOwnForm(type, object.tree());
  }

  private static byte[] json(ResourceType type, StoredObject object) {
    boolean own = type == KindCatalogue.NEW_EVENTS || type.isCustom();
    return own ? utf8(tree(type, object).toString()) : object.json();
  }

  private static byte[] message(ResourceType type, StoredObject object) {
    return type == KindCatalogue.NEW_EVENTS
        ? ProtobufBodies.encode(tree(type, object), type.schema())
        : object.protobuf(t -> ProtobufBodies.encode(t, type.schema()));
  }

  /**
   * Encodes one object.
   *
   * @param includeObject the object in a table's row, as in {@link TableOptions}
   */
  public static byte[] object(
      ResourceType type, StoredObject object, AnswerForm form, String includeObject) {
    return switch (form.shape()) {
      case OBJECT ->
          switch (form.encoding()) {
            case JSON -> withKind(type, json(type, object));
            case PROTOBUF ->
                ProtobufBodies.makeEnvelope(type.apiVersion(), type.kind(), message(type, object));
            case YAML ->
                yaml(new String(withKind(type, json(type, object)), StandardCharsets.UTF_8));
          };
      case METADATA, METADATA_LIST -> utf8(metadata(type, object, form).toString());
      case TABLE -> utf8(tableOf(type, object, form, new TableOptions(includeObject, true)));
    };
  }

  private static JsonObject versionOf(StoredObject object) {
    JsonObject metadata = new JsonObject();
    if (object.version() > 0) {
      metadata.addProperty("resourceVersion", Long.toString(object.version()));
    }
    return metadata;
  }

  private static byte[] withKind(ResourceType type, byte[] tree) {
    byte[] prefix = prefix(type);
    ByteArrayOutputStream out = new ByteArrayOutputStream(prefix.length + tree.length + 1);
    out.writeBytes(prefix);
    if (tree.length > 2) {
      out.write(',');
    }
    out.write(tree, 1, tree.length - 1);
    return out.toByteArray();
  }

  public static byte[] tree(JsonObject answer, BodyEncoding encoding) {
    return switch (encoding) {
      case JSON -> utf8(answer + "\n");
      case YAML -> yaml(answer.toString());
      case PROTOBUF -> message(answer);
    };
  }

  private static byte[] message(JsonObject answer) {
    String kind = text(answer, "kind");
    return ProtobufBodies.makeEnvelope(
        text(answer, "apiVersion"), kind, ProtobufBodies.encode(answer, Schema.message(kind)));
  }

  private static byte[] yaml(String json) {
    return utf8(YamlBodies.fromJson(json));
  }

  private static JsonObject metadata(ResourceType type, StoredObject object, AnswerForm form) {
    JsonObject partial = objectOf("kind", "PartialObjectMetadata", "apiVersion", form.apiVersion());
    partial.add("metadata", tree(type, object).get("metadata"));
    return partial;
  }

  /**
   * Encodes a list.
   *
   * @param metadata the metadata of the list
   * @param includeObject the object in a table's row, as in {@link TableOptions}
   * @throws StatusException if the form is only for single objects
   */
  public static byte[] list(
      ResourceType type,
      Collection<StoredObject> objects,
      JsonObject metadata,
      AnswerForm form,
      String includeObject)
      throws StatusException {
    return switch (form.shape()) {
      case OBJECT -> objects(type, objects, metadata, form.encoding());
      case METADATA -> throw StatusException.notAcceptable(AnswerForm.KINDS);
      case METADATA_LIST -> {
        JsonArray items = new JsonArray();
        objects.forEach(o -> items.add(metadata(type, o, form)));
        JsonObject list = objectOf("kind", "PartialObjectMetadataList");
        list.addProperty("apiVersion", form.apiVersion());
        list.add("metadata", metadata);
        list.add("items", items);
        yield utf8(list.toString());
      }
      case TABLE ->
          utf8(
              table(type, objects, metadata, form, new TableOptions(includeObject, true))
                  .toString());
    };
  }

  // Lists of custom resources have an empty continue member on the last page.
  private static JsonObject withContinue(JsonObject metadata) {
    JsonObject result = objectOf("continue", "");
    metadata.entrySet().forEach(m -> result.add(m.getKey(), m.getValue()));
    return result;
  }

  private static byte[] objects(
      ResourceType type,
      Collection<StoredObject> objects,
      JsonObject metadata,
      BodyEncoding encoding) {
    if (encoding == BodyEncoding.PROTOBUF) {
      List<byte[]> items = new ArrayList<>();
      objects.forEach(o -> items.add(message(type, o)));
      return ProtobufBodies.makeEnvelope(
          type.apiVersion(), type.kind() + "List", ProtobufBodies.list(metadata, items));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(256 + 1024 * objects.size());
    out.writeBytes(
        utf8(
            "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
                .formatted(
                    type.kind(),
                    type.apiVersion(),
                    type.isCustom() ? withContinue(metadata) : metadata)));
    boolean first = true;
    for (StoredObject object : objects) {
      if (!first) {
        out.write(',');
      }
      first = false;
      out.writeBytes(type.isCustom() ? withKind(type, json(type, object)) : json(type, object));
    }
    out.writeBytes(utf8("]}"));
    return encoding == BodyEncoding.YAML
        ? yaml(out.toString(StandardCharsets.UTF_8))
        : out.toByteArray();
  }

  private static JsonObject table(
      ResourceType type,
      Collection<StoredObject> objects,
      JsonObject metadata,
      AnswerForm form,
      TableOptions options) {
    JsonObject table = objectOf("kind", "Table", "apiVersion", form.apiVersion());
    table.add("metadata", metadata);
    List<PrintedColumn> columns = type.rules().getColumns();
    table.add("columnDefinitions", options.columns() ? definitions(columns) : JsonNull.INSTANCE);
    JsonArray rows = new JsonArray();
    objects.forEach(object -> rows.add(row(type, object, form, options.includeObject(), columns)));
    boolean plain = options.columns() && columns.contains(TableColumns.CREATED);
    table.add("rows", plain && rows.isEmpty() ? JsonNull.INSTANCE : rows);
    return table;
  }

  private static JsonArray definitions(List<PrintedColumn> columns) {
    JsonArray definitions = new JsonArray();
    for (PrintedColumn column : columns) {
      JsonObject definition = objectOf("name", column.name(), "type", column.type());
      definition.addProperty("format", column.format());
      definition.addProperty("description", column.description());
      definition.addProperty("priority", column.priority());
      definitions.add(definition);
    }
    return definitions;
  }

  private static JsonObject row(
      ResourceType type,
      StoredObject object,
      AnswerForm form,
      String includeObject,
      List<PrintedColumn> columns) {
    JsonObject row = new JsonObject();
    JsonArray cells = new JsonArray();
    JsonObject shown = type.isCustom() ? tree(type, object) : object.tree();
    columns.forEach(column -> cells.add(column.cell().apply(shown)));
    row.add("cells", cells);
    switch (includeObject) {
      case "None" -> row.add("object", JsonNull.INSTANCE);
      case "Object" -> {
        JsonObject full = tree(type, object).deepCopy();
        full.addProperty("kind", type.kind());
        full.addProperty("apiVersion", type.apiVersion());
        row.add("object", full);
      }
      default -> row.add("object", metadata(type, object, form));
    }
    return row;
  }

  private static String tableOf(
      ResourceType type, StoredObject object, AnswerForm form, TableOptions options) {
    return table(type, List.of(object), versionOf(object), form, options).toString();
  }

  /**
   * Encodes a watch event and the line end.
   *
   * @param eventType ADDED, MODIFIED or DELETED
   * @param options options if the form is a table
   */
  public static byte[] event(
      ResourceType type,
      String eventType,
      StoredObject object,
      AnswerForm form,
      TableOptions options) {
    if (form.encoding() == BodyEncoding.PROTOBUF) {
      return ProtobufBodies.makeFrame(
          eventType, object(type, object, form, options.includeObject()));
    }
    byte[] body =
        form.shape() == ObjectForm.TABLE
            ? utf8(tableOf(type, object, form, options))
            : object(
                type,
                object,
                new AnswerForm(BodyEncoding.JSON, form.shape(), form.version()),
                options.includeObject());
    return line(eventType, body);
  }

  private static byte[] line(String eventType, byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 40);
    out.writeBytes(utf8("{\"type\":\"" + eventType + "\",\"object\":"));
    out.writeBytes(body);
    out.writeBytes(utf8("}\n"));
    return out.toByteArray();
  }

  /**
   * Encodes a bookmark and the line end.
   *
   * @param endsInitialEvents true to annotate the end of the initial events
   * @param columns true if a table includes column definitions
   */
  public static byte[] bookmark(
      ResourceType type,
      long version,
      boolean endsInitialEvents,
      AnswerForm form,
      boolean columns) {
    JsonObject tree = new JsonObject();
    JsonObject metadata = child(tree, "metadata");
    metadata.addProperty("resourceVersion", Long.toString(version));
    if (endsInitialEvents) {
      child(metadata, "annotations").addProperty("k8s.io/initial-events-end", "true");
    }
    if (form.encoding() == BodyEncoding.PROTOBUF) {
      return ProtobufBodies.makeFrame(
          "BOOKMARK",
          ProtobufBodies.makeEnvelope(
              type.apiVersion(), type.kind(), ProtobufBodies.encode(tree, type.schema())));
    }
    if (form.shape() == ObjectForm.OBJECT) {
      return line("BOOKMARK", withKind(type, utf8(tree.toString())));
    }
    if (form.shape() == ObjectForm.TABLE) {
      StoredObject none =
          new StoredObject("", tree, version); // a table needs a row even for a bookmark
      return line("BOOKMARK", utf8(tableOf(type, none, form, new TableOptions("", columns))));
    }
    tree.addProperty("kind", "PartialObjectMetadata");
    tree.addProperty("apiVersion", form.apiVersion());
    return line("BOOKMARK", utf8(tree.toString()));
  }

  public static byte[] error(StatusException problem, AnswerForm form) {
    if (form.encoding() == BodyEncoding.PROTOBUF) {
      return ProtobufBodies.makeFrame("ERROR", message(problem.status()));
    }
    return line("ERROR", utf8(problem.status().toString()));
  }
}
