package dev.mooring.apiserver.codec;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/**
 * Encodes OpenAPI documents in protobuf, which clients in Go request. The field numbers come from
 * {@code openapi-messages.txt}.
 */
public final class OpenApiProtobuf {
  public enum OpenApiVersion {
    V2("2."),
    V3("3.");

    private final String prefix;

    OpenApiVersion(String prefix) {
      this.prefix = prefix;
    }
  }

  private static final String EXTENSION_PREFIX = "x-";
  private static final Map<String, String> MESSAGES =
      TableFile.read(OpenApiProtobuf.class, "openapi-messages.txt");

  private final OpenApiVersion version;

  private OpenApiProtobuf(OpenApiVersion version) {
    this.version = version;
  }

  public static byte[] encode(JsonObject document, OpenApiVersion version) {
    try {
      return new OpenApiProtobuf(version).encodeMessage("Document", document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @FunctionalInterface
  private interface MessageWriter {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] makeBytes(MessageWriter body) throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream(256);
    CodedOutputStream out = CodedOutputStream.newInstance(buffer, 256);
    body.write(out);
    out.flush();
    return buffer.toByteArray();
  }

  private byte[] encodeMessage(String name, JsonObject value) throws IOException {
    String line =
        Objects.requireNonNull(
            MESSAGES.get(version.prefix + name), () -> "no message " + name + " in " + version);
    String[] fields = line.split(", ");
    return makeBytes(out -> {
      for (String field : fields) {
        String[] columns = field.split(" ");
        int number = Integer.parseInt(columns[0]);
        if (columns[1].equals(EXTENSION_PREFIX)) {
          writeExtensions(number, value, out);
        } else if (value.get(columns[1]) instanceof JsonElement member && !member.isJsonNull()) {
          writeField(number, columns[2], member, out);
        }
      }
    });
  }

  private static void writeExtensions(int number, JsonObject value, CodedOutputStream out)
      throws IOException {
    for (Map.Entry<String, JsonElement> member : value.entrySet()) {
      if (member.getKey().startsWith(EXTENSION_PREFIX)) {
        writeNamedValue(number, member.getKey(), encodeAny(member.getValue()), out);
      }
    }
  }

  private static void writeNamedValue(int number, String name, byte[] value, CodedOutputStream out)
      throws IOException {
    out.writeByteArray(
        number,
        makeBytes(o -> {
          o.writeString(1, name);
          o.writeByteArray(2, value);
        }));
  }

  // An Any holds YAML, and JSON is YAML.
  private static byte[] encodeAny(JsonElement value) throws IOException {
    return makeBytes(out -> out.writeString(2, value + "\n"));
  }

  private void writeField(int number, String type, JsonElement value, CodedOutputStream out)
      throws IOException {
    switch (type) {
      case "string" -> out.writeString(number, value.getAsString());
      case "bool" -> out.writeBool(number, value.getAsBoolean());
      case "int" -> out.writeInt64(number, value.getAsLong());
      case "double" -> out.writeDouble(number, value.getAsDouble());
      case "any" -> out.writeByteArray(number, encodeAny(value));
      case "default" -> {
        if (value.isJsonPrimitive()) { // the format has no other values
          out.writeByteArray(number, encodeDefault(value));
        }
      }
      case "parameter" -> // a query parameter; body parameters do not occur
          out.writeByteArray(
              number,
              makeBytes(o ->
                  o.writeByteArray(
                      2,
                      makeBytes(p ->
                          p.writeByteArray(3, encodeMessage("Query", value.getAsJsonObject()))))));
      default -> writeComposed(number, type, value, out);
    }
  }

  private static byte[] encodeDefault(JsonElement value) throws IOException {
    return makeBytes(out -> {
      if (value.getAsJsonPrimitive().isNumber()) {
        out.writeDouble(1, value.getAsDouble());
      } else if (value.getAsJsonPrimitive().isBoolean()) {
        out.writeBool(2, value.getAsBoolean());
      } else {
        out.writeString(3, value.getAsString());
      }
    });
  }

  private void writeComposed(int number, String type, JsonElement value, CodedOutputStream out)
      throws IOException {
    int bracket = type.indexOf('<');
    if (bracket < 0) {
      out.writeByteArray(number, encodeMessage(type, value.getAsJsonObject()));
      return;
    }
    String innerType = type.substring(bracket + 1, type.length() - 1);
    switch (type.substring(0, bracket)) {
      case "list" -> {
        for (JsonElement element : value.getAsJsonArray()) {
          writeField(number, innerType, element, out);
        }
      }
      case "map" -> {
        out.writeByteArray(
            number, makeBytes(o -> writeEntries(innerType, value.getAsJsonObject(), o)));
      }
      case "in" -> {
        int colon = innerType.indexOf(':');
        int fieldNumber = Integer.parseInt(innerType.substring(0, colon));
        out.writeByteArray(
            number,
            makeBytes(o -> writeField(fieldNumber, innerType.substring(colon + 1), value, o)));
      }
      case "schema" -> {
        boolean isFlag = value.isJsonPrimitive();
        out.writeByteArray(
            number,
            makeBytes(o -> writeField(isFlag ? 2 : 1, isFlag ? "bool" : innerType, value, o)));
      }
      default -> out.writeByteArray(number, encodeValue(type, value));
    }
  }

  private void writeEntries(String entryType, JsonObject map, CodedOutputStream out)
      throws IOException {
    int colon = entryType.indexOf(':');
    int entryNumber = Integer.parseInt(entryType.substring(0, colon));
    String valueType = entryType.substring(colon + 1);
    for (Map.Entry<String, JsonElement> member : map.entrySet()) {
      writeNamedValue(entryNumber, member.getKey(), encodeValue(valueType, member.getValue()), out);
    }
  }

  private byte[] encodeValue(String type, JsonElement value) throws IOException {
    JsonObject object = value.getAsJsonObject();
    if (!type.startsWith("or<")) {
      return encodeMessage(type, object);
    }
    boolean isReference = object.has("$ref");
    String messageName = isReference ? "Reference" : type.substring(3, type.length() - 1);
    return makeBytes(
        out -> out.writeByteArray(isReference ? 2 : 1, encodeMessage(messageName, object)));
  }
}
