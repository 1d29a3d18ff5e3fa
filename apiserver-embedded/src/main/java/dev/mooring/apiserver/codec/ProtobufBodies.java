package dev.mooring.apiserver.codec;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Kubernetes' protobuf encoding: messages by the schema, and the envelope around them. */
public final class ProtobufBodies {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  @FunctionalInterface
  private interface ObjectWriter {
    void write(CodedOutputStream out) throws IOException;
  }

  private ProtobufBodies() {}

  private static byte[] makeBytes(ObjectWriter body) {
    try {
      ByteArrayOutputStream buffer = new ByteArrayOutputStream(512);
      CodedOutputStream out = CodedOutputStream.newInstance(buffer, 512);
      body.write(out);
      out.flush();
      return buffer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] encode(JsonObject object, MessageType message) {
    return makeBytes(out -> writeMessage(object, message, out));
  }

  private static void writeMessage(JsonObject object, MessageType message, CodedOutputStream out)
      throws IOException {
    for (MessageField field : message.fields()) {
      if (field.isInline()) {
        byte[] nested = makeBytes(o -> writeMessage(object, field.getMessage(), o));
        if (nested.length > 0) {
          out.writeByteArray(field.number(), nested);
        }
        continue;
      }
      JsonElement value = object.get(field.name());
      if (value == null || value.isJsonNull()) {
        continue;
      }
      if (field.isMap()) {
        for (Map.Entry<String, JsonElement> entry : value.getAsJsonObject().entrySet()) {
          out.writeByteArray(
              field.number(),
              makeBytes(o -> {
                o.writeString(1, entry.getKey());
                writeValue(2, entry.getValue(), field, o);
              }));
        }
      } else if (field.isRepeated()) {
        for (JsonElement element : value.getAsJsonArray()) {
          writeValue(field.number(), element, field, out);
        }
      } else {
        writeValue(field.number(), value, field, out);
      }
    }
  }

  private static void writeValue(
      int number, JsonElement value, MessageField field, CodedOutputStream out) throws IOException {
    switch (field.shape()) {
      case STRING -> out.writeString(number, value.getAsString());
      case BOOL -> out.writeBool(number, value.getAsBoolean());
      case INT32, INT64 -> out.writeInt64(number, value.getAsLong());
      case DOUBLE -> out.writeDouble(number, value.getAsDouble());
      case BYTES -> out.writeByteArray(number, Base64.getMimeDecoder().decode(value.getAsString()));
      case TIME, MICRO_TIME ->
          out.writeByteArray(
              number,
              encodeTime(Objects.requireNonNull(CanonicalValues.parseTime(value.getAsString()))));
      case QUANTITY ->
          out.writeByteArray(number, makeBytes(o -> o.writeString(1, value.getAsString())));
      case INT_OR_STRING -> out.writeByteArray(number, encodeIntOrString(value));
      case MESSAGE ->
          out.writeByteArray(number, encode(value.getAsJsonObject(), field.getMessage()));
      case RAW ->
          out.writeByteArray(
              number,
              makeBytes(
                  o -> o.writeByteArray(1, value.toString().getBytes(StandardCharsets.UTF_8))));
      case STRINGS ->
          out.writeByteArray(
              number,
              makeBytes(o -> {
                for (JsonElement element : value.getAsJsonArray()) {
                  o.writeString(1, element.getAsString());
                }
              }));
      case ANY -> {
        if (value.isJsonObject()) {
          out.writeByteArray(number, new byte[0]);
        }
      }
    }
  }

  private static byte[] encodeTime(Instant time) {
    return makeBytes(out -> {
      out.writeInt64(1, time.getEpochSecond());
      out.writeInt32(2, time.getNano());
    });
  }

  private static byte[] encodeIntOrString(JsonElement value) {
    boolean isText = value.getAsJsonPrimitive().isString();
    return makeBytes(out -> {
      out.writeInt64(1, isText ? 1 : 0);
      out.writeInt32(2, isText ? 0 : value.getAsInt());
      out.writeString(3, isText ? value.getAsString() : "");
    });
  }

  public static byte[] makeEnvelope(String apiVersion, String kind, byte[] message) {
    return makeBytes(out -> {
      out.writeRawBytes(MAGIC);
      out.writeByteArray(
          1,
          makeBytes(o -> {
            o.writeString(1, apiVersion);
            o.writeString(2, kind);
          }));
      out.writeByteArray(2, message);
      out.writeString(3, "");
      out.writeString(4, "");
    });
  }

  public static byte[] encodeList(JsonObject metadata, Iterable<byte[]> items) {
    return makeBytes(out -> {
      out.writeByteArray(1, encode(metadata, Schema.getMessage("ListMeta")));
      for (byte[] item : items) {
        out.writeByteArray(2, item);
      }
    });
  }

  public static byte[] makeFrame(String type, byte[] envelope) {
    byte[] event =
        makeBytes(out -> {
          out.writeString(1, type);
          out.writeByteArray(2, makeBytes(o -> o.writeByteArray(1, envelope)));
        });
    byte[] frame = new byte[event.length + 4];
    for (int i = 0; i < 4; i++) {
      frame[i] = (byte) (event.length >>> (24 - 8 * i));
    }
    System.arraycopy(event, 0, frame, 4, event.length);
    return frame;
  }

  private record TypeMeta(String apiVersion, String kind) {
    static TypeMeta read(CodedInputStream in) throws IOException {
      String apiVersion = "";
      String kind = "";
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> apiVersion = in.readString();
          case 2 -> kind = in.readString();
          default -> in.skipField(tag);
        }
      }
      return new TypeMeta(apiVersion, kind);
    }
  }

  /** Decodes an enveloped body into the tree that the same JSON gives. */
  public static JsonObject decode(byte[] body, MessageNames names) throws BadBodyException {
    for (int i = 0; i < MAGIC.length; i++) {
      if (body.length <= i || body[i] != MAGIC[i]) {
        throw new BadBodyException(
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
      }
    }
    if (body.length == MAGIC.length) {
      throw new BadBodyException("empty body");
    }
    try {
      CodedInputStream in =
          CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length);
      TypeMeta type = new TypeMeta("", "");
      byte[] messageBytes = new byte[0];
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case 1 -> type = TypeMeta.read(in.readBytes().newCodedInput());
          case 2 -> messageBytes = in.readByteArray();
          default -> in.skipField(tag);
        }
      }
      MessageType message = names.findMessage(type.apiVersion(), type.kind());
      JsonObject object = newObject("kind", type.kind(), "apiVersion", type.apiVersion());
      if (message == null) {
        return object;
      }
      readMessage(CodedInputStream.newInstance(messageBytes), message, object);
      return object;
    } catch (IOException e) {
      throw new BadBodyException("unexpected EOF");
    }
  }

  @FunctionalInterface
  public interface MessageNames {
    /** Returns null if the kind is unknown. */
    @Nullable MessageType findMessage(String apiVersion, String kind);
  }

  private static void readMessage(CodedInputStream in, MessageType message, JsonObject target)
      throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      MessageField field = message.findField(WireFormat.getTagFieldNumber(tag));
      if (field == null || field.shape() == Schema.FieldShape.ANY) {
        in.skipField(tag);
      } else if (field.isInline()) {
        readMessage(in.readBytes().newCodedInput(), field.getMessage(), target);
      } else if (field.isMap()) {
        readEntry(
            in.readBytes().newCodedInput(), field, JsonBodies.getOrAddChild(target, field.name()));
      } else if (field.isRepeated()) {
        JsonElement list = target.get(field.name());
        if (list == null) {
          list = new JsonArray();
          target.add(field.name(), list);
        }
        list.getAsJsonArray().add(readValue(in, field));
      } else {
        JsonElement value = readValue(in, field);
        if (!isOmitted(value, field)) {
          target.add(field.name(), value);
        }
      }
    }
  }

  // Go writes every field that is no pointer; JSON omits its empty strings and messages.
  private static boolean isOmitted(JsonElement value, MessageField field) {
    if (value.isJsonObject()) {
      return value.getAsJsonObject().isEmpty() && field.emptyForm() == Schema.EmptyForm.ZERO;
    }
    boolean isPointer =
        field.shape() == Schema.FieldShape.STRING && field.emptyForm() == Schema.EmptyForm.DISTINCT;
    return !isPointer
        && value.isJsonPrimitive()
        && value.getAsJsonPrimitive().isString()
        && value.getAsString().isEmpty();
  }

  private static void readEntry(CodedInputStream in, MessageField field, JsonObject map)
      throws IOException {
    String key = "";
    JsonElement value = new JsonPrimitive("");
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> key = in.readString();
        case 2 -> value = readValue(in, field);
        default -> in.skipField(tag);
      }
    }
    map.add(key, value);
  }

  private static JsonElement readValue(CodedInputStream in, MessageField field) throws IOException {
    return switch (field.shape()) {
      case STRING -> new JsonPrimitive(in.readString());
      case BOOL -> new JsonPrimitive(in.readBool());
      case INT32, INT64 -> new JsonPrimitive(in.readInt64());
      case DOUBLE -> new JsonPrimitive(BigDecimal.valueOf(in.readDouble()).stripTrailingZeros());
      case BYTES ->
          new JsonPrimitive(
              new String(
                  Base64.getEncoder().encode(in.readByteArray()), StandardCharsets.US_ASCII));
      case TIME, MICRO_TIME -> readTime(in.readBytes().newCodedInput(), field);
      case QUANTITY -> readQuantity(in.readBytes().newCodedInput());
      case MESSAGE -> {
        JsonObject nested = new JsonObject();
        readMessage(in.readBytes().newCodedInput(), field.getMessage(), nested);
        yield nested;
      }
      case RAW -> readRaw(in.readBytes().newCodedInput());
      case STRINGS -> readStrings(in.readBytes().newCodedInput());
      case INT_OR_STRING -> readIntOrString(in.readBytes().newCodedInput());
      case ANY -> {
        in.readBytes();
        yield new JsonObject();
      }
    };
  }

  private static JsonElement readRaw(CodedInputStream in) throws IOException {
    String text = "{}";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        text = in.readBytes().toStringUtf8();
      } else {
        in.skipField(tag);
      }
    }
    try {
      return JsonBodies.parse(text, new ArrayList<>());
    } catch (BadBodyException e) {
      throw new IOException(e);
    }
  }

  private static JsonElement readStrings(CodedInputStream in) throws IOException {
    JsonArray list = new JsonArray();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        list.add(in.readString());
      } else {
        in.skipField(tag);
      }
    }
    return list;
  }

  private static JsonElement readIntOrString(CodedInputStream in) throws IOException {
    long type = 0;
    int number = 0;
    String text = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> type = in.readInt64();
        case 2 -> number = in.readInt32();
        case 3 -> text = in.readString();
        default -> in.skipField(tag);
      }
    }
    return type == 0 ? new JsonPrimitive(number) : new JsonPrimitive(text);
  }

  private static JsonElement readTime(CodedInputStream in, MessageField field) throws IOException {
    long seconds = 0;
    int nanos = 0;
    boolean hasFields = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      hasFields = true;
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> seconds = in.readInt64();
        case 2 -> nanos = in.readInt32();
        default -> in.skipField(tag);
      }
    }
    if (!hasFields || seconds < -62_000_000_000L) {
      return new JsonPrimitive("");
    }
    Instant time = Instant.ofEpochSecond(seconds, nanos);
    return new JsonPrimitive(
        field.shape() == Schema.FieldShape.TIME
            ? CanonicalValues.formatSeconds(time)
            : CanonicalValues.formatMicros(time));
  }

  private static JsonElement readQuantity(CodedInputStream in) throws IOException {
    String text = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        text = in.readString();
      } else {
        in.skipField(tag);
      }
    }
    return new JsonPrimitive(text);
  }
}
