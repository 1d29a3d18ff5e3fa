package dev.mooring.apiserver.codec;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.codec.Schema.MessageType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Kubernetes' protobuf encoding: messages by the schema, and the envelope around them. */
public final class ProtobufBodies {
  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int ENVELOPE_SIZE = 128; // of all fields except the message
  private static final int ITEM_PREFIX = 6;

  private ProtobufBodies() {}

  public static byte[] encode(JsonObject object, MessageType message) {
    MessageWriter out = new MessageWriter();
    writeMessage(object, message, out);
    return out.toByteArray();
  }

  private static void writeMessage(JsonObject object, MessageType message, MessageWriter out) {
    for (MessageField field : message.fields()) {
      if (field.isInline()) {
        int start = out.startMessage(field.number());
        writeMessage(object, field.getMessage(), out);
        out.endOrDropMessage(field.number(), start);
        continue;
      }
      JsonElement value = object.get(field.name());
      if (value == null || value.isJsonNull()) {
        continue;
      }
      if (field.isMap()) {
        for (Map.Entry<String, JsonElement> entry : value.getAsJsonObject().entrySet()) {
          int start = out.startMessage(field.number());
          out.writeText(1, entry.getKey());
          writeValue(2, entry.getValue(), field, out);
          out.endMessage(start);
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
      int number, JsonElement value, MessageField field, MessageWriter out) {
    switch (field.shape()) {
      case STRING -> out.writeText(number, value.getAsString());
      case BOOL -> out.writeFlag(number, value.getAsBoolean());
      case INT32, INT64 -> out.writeNumber(number, value.getAsLong());
      case DOUBLE -> out.writeDouble(number, value.getAsDouble());
      case BYTES -> out.writeBytes(number, Base64.getMimeDecoder().decode(value.getAsString()));
      case ANY -> {
        if (value.isJsonObject()) {
          out.writeBytes(number, new byte[0]);
        }
      }
      case TIME, MICRO_TIME, QUANTITY, INT_OR_STRING, MESSAGE, RAW, STRINGS -> {
        int start = out.startMessage(number);
        writeFields(value, field, out);
        out.endMessage(start);
      }
    }
  }

  private static void writeFields(JsonElement value, MessageField field, MessageWriter out) {
    switch (field.shape()) {
      case TIME, MICRO_TIME -> {
        Instant time = Objects.requireNonNull(CanonicalValues.parseTime(value.getAsString()));
        out.writeNumber(1, time.getEpochSecond());
        out.writeNumber(2, time.getNano());
      }
      case INT_OR_STRING -> {
        boolean isText = value.getAsJsonPrimitive().isString();
        out.writeNumber(1, isText ? 1 : 0);
        out.writeNumber(2, isText ? 0 : value.getAsInt());
        out.writeText(3, isText ? value.getAsString() : "");
      }
      case MESSAGE -> writeMessage(value.getAsJsonObject(), field.getMessage(), out);
      case RAW -> out.writeText(1, value.toString());
      case STRINGS -> value.getAsJsonArray().forEach(e -> out.writeText(1, e.getAsString()));
      default -> out.writeText(1, value.getAsString());
    }
  }

  public static byte[] makeEnvelope(String apiVersion, String kind, byte[] message) {
    MessageWriter out = new MessageWriter(ENVELOPE_SIZE + message.length);
    writeEnvelope(apiVersion, kind, message, out);
    return out.toByteArray();
  }

  private static void writeEnvelope(
      String apiVersion, String kind, byte[] message, MessageWriter out) {
    out.writeRaw(MAGIC);
    int start = out.startMessage(1);
    out.writeText(1, apiVersion);
    out.writeText(2, kind);
    out.endMessage(start);
    out.writeBytes(2, message);
    out.writeText(3, "");
    out.writeText(4, "");
  }

  public static byte[] encodeList(JsonObject metadata, Collection<byte[]> items) {
    int size = items.stream().mapToInt(item -> item.length + ITEM_PREFIX).sum();
    MessageWriter out = new MessageWriter(ENVELOPE_SIZE + size);
    out.writeBytes(1, encode(metadata, Schema.getMessage("ListMeta")));
    for (byte[] item : items) {
      out.writeBytes(2, item);
    }
    return out.toByteArray();
  }

  public static byte[] makeFrame(String type, byte[] envelope) {
    MessageWriter out = new MessageWriter(ENVELOPE_SIZE + envelope.length);
    out.writeRaw(new byte[Integer.BYTES]);
    out.writeText(1, type);
    int start = out.startMessage(2);
    out.writeBytes(1, envelope);
    out.endMessage(start);
    byte[] frame = out.toByteArray();
    ByteBuffer.wrap(frame).putInt(0, frame.length - Integer.BYTES);
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

  // Go writes every field that is not a pointer; JSON omits empty strings and messages.
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
