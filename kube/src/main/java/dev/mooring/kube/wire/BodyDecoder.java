package dev.mooring.kube.wire;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Resource;
import dev.mooring.wire.Decoder;
import dev.mooring.wire.DecoderTable;
import dev.mooring.wire.MetaDecoder;
import dev.mooring.wire.MetaDecoder.ListMeta;
import dev.mooring.wire.WireReader;
import dev.mooring.wire.WireReader.Fields;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Decodes whole bodies in protobuf or JSON: objects, lists, watch events and statuses. */
public final class BodyDecoder {
  public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private static final int MAGIC = 0x6b387300;
  private static final int MAX_FRAME_BYTES = 64 << 20;
  private static final int OBJECT_BUFFER = 1 << 12; // buffer size in bytes
  private static final int STREAM_BUFFER = 1 << 16;

  private static final class UnknownFields {
    static final int TYPE_META = 1;
    static final int RAW = 2;
    static final Fields ALL = Fields.of(TYPE_META, "typeMeta").and(RAW, "raw");
  }

  private static final class TypeMeta {
    static final int API_VERSION = 1;
    static final int KIND = 2;
    static final Fields ALL = Fields.of(API_VERSION, "apiVersion").and(KIND, "kind");
  }

  private static final class ListFields {
    static final int METADATA = 1;
    static final int ITEMS = 2;
    static final int KIND = 15; // JSON only: the protobuf envelope contains the kind
    static final Fields ALL = Fields.of(METADATA, "metadata").and(ITEMS, "items").and(KIND, "kind");
  }

  private static final class WatchEvent {
    static final int TYPE = 1;
    static final int OBJECT = 2;
    static final Fields ALL = Fields.of(TYPE, "type").and(OBJECT, "object");
  }

  private static final class RawExtension {
    static final int RAW = 1;
    static final Fields ALL = Fields.of(RAW, "raw");
  }

  /**
   * Status of an API server.
   *
   * @param code HTTP status code
   * @param reason machine-readable reason
   * @param message human-readable message
   * @param retryAfterSeconds requested delay; 0 for none. At most 32, the maximum of priority and
   *     fairness, because a webhook may request any delay
   * @param field first field with an error; "" for none
   */
  public record Status(
      int code, String reason, String message, int retryAfterSeconds, String field) {
    private static final int MAX_RETRY_SECONDS = 32;

    public Status {
      retryAfterSeconds = Math.clamp(retryAfterSeconds, 0, MAX_RETRY_SECONDS);
    }

    public boolean hasRetryDelay() {
      return retryAfterSeconds > 0;
    }

    public Duration getRetryDelay() {
      return Duration.ofSeconds(Math.max(1, retryAfterSeconds));
    }
  }

  public interface Events<T> {
    void changed(String type, T object);

    void bookmark(long version, boolean endsInitialEvents);

    void error(Status status);

    default boolean isEnough() {
      return false;
    }
  }

  private BodyDecoder() {}

  private static JsonWireReader openJson(InputStream body) {
    JsonReader reader = new JsonReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    reader.setStrictness(Strictness.LENIENT); // several values in one stream
    return new JsonWireReader(reader);
  }

  // Opens an enveloped message: magic, Unknown, raw. Leaves two levels open.
  private static WireReader openEnvelope(ProtobufWireReader in, String expectedKind)
      throws IOException {
    for (int field = in.next(UnknownFields.ALL); field != 0; field = in.next(UnknownFields.ALL)) {
      if (field == UnknownFields.TYPE_META && !expectedKind.isEmpty()) {
        checkKind(in.readSingleField(TypeMeta.ALL, TypeMeta.KIND), expectedKind);
        continue;
      }
      if (field == UnknownFields.RAW) {
        in.open();
        return in;
      }
      in.skip();
    }
    throw new EOFException("protobuf body without an object");
  }

  private static void checkMagic(InputStream body) throws IOException {
    byte[] prefix = body.readNBytes(4);
    if (prefix.length < 4 || ByteBuffer.wrap(prefix).getInt() != MAGIC) {
      throw new IOException("protobuf body without its magic number");
    }
  }

  private static WireReader openBody(
      InputStream body, boolean isProtobuf, int buffer, String expectedKind) throws IOException {
    if (isProtobuf) {
      checkMagic(body);
      return openEnvelope(ProtobufWireReader.of(body, buffer), expectedKind);
    }
    JsonWireReader in = openJson(body);
    in.open();
    return in;
  }

  /** Checks the kind. Accepts an answer without a kind, because the caller compares its key. */
  static void checkKind(String actualKind, String expectedKind) throws IOException {
    if (!actualKind.isEmpty() && !actualKind.equals(expectedKind)) {
      throw new IOException(
          "unexpected kind in the response: " + actualKind + ", not " + expectedKind);
    }
  }

  private static <T extends Resource> WireReader openObject(
      Kind<T> kind, InputStream body, boolean isProtobuf) throws IOException {
    if (isProtobuf) {
      return openBody(body, true, OBJECT_BUFFER, kind.kind());
    }
    byte[] bytes = body.readNBytes(MAX_FRAME_BYTES); // the kind may follow other fields
    checkKind(findKind(bytes, false), kind.kind());
    return openBody(new ByteArrayInputStream(bytes), false, OBJECT_BUFFER, "");
  }

  public static <T extends Resource> T decodeObject(
      Kind<T> kind, InputStream body, boolean isProtobuf) throws IOException {
    return DecoderTable.getDecoder(kind).decode(openObject(kind, body, isProtobuf));
  }

  /**
   * Decodes the response to a deletion. Empty if it is a Status instead of the object: the object
   * is gone, and the server does not return objects of this kind.
   *
   * @param expected the object that was to be deleted
   * @throws IOException if the response is about another object or does not confirm success
   */
  public static <T extends Resource> Optional<T> decodeDeleted(
      Kind<T> kind, DeletionStatus expected, InputStream body, boolean isProtobuf)
      throws IOException {
    byte[] bytes = body.readNBytes(MAX_FRAME_BYTES);
    ByteArrayInputStream copy = new ByteArrayInputStream(bytes);
    if (findKind(bytes, isProtobuf).equals("Status")) {
      DeletionStatus.decode(openBody(copy, isProtobuf, OBJECT_BUFFER, "")).requireSuccess(expected);
      return Optional.empty();
    }
    T lastState = decodeObject(kind, copy, isProtobuf);
    new DeletionStatus(lastState.meta().name(), lastState.meta().uid().toString(), true)
        .requireSuccess(expected);
    return Optional.of(lastState);
  }

  private static String findKind(byte[] bytes, boolean isProtobuf) throws IOException {
    WireReader in = openJson(new ByteArrayInputStream(bytes));
    if (isProtobuf) {
      checkMagic(new ByteArrayInputStream(bytes));
      in = ProtobufWireReader.of(bytes, 4, bytes.length - 4);
      if (in.next(UnknownFields.ALL) != UnknownFields.TYPE_META) {
        return "";
      }
    }
    return in.readSingleField(TypeMeta.ALL, TypeMeta.KIND);
  }

  public static <T extends Resource> T decodeObject(
      Kind<T> kind, InputStream body, boolean isProtobuf, Consumer<T> wholeConsumer)
      throws IOException {
    byte[] bytes = body.readNBytes(MAX_FRAME_BYTES);
    wholeConsumer.accept(decodeWhole(kind, new ByteArrayInputStream(bytes), isProtobuf));
    return decodeObject(kind, new ByteArrayInputStream(bytes), isProtobuf);
  }

  /** Decodes one object with all labels and annotations. The caller must not cache it. */
  public static <T extends Resource> T decodeWhole(
      Kind<T> kind, InputStream body, boolean isProtobuf) throws IOException {
    WireReader in = openObject(kind, body, isProtobuf);
    in.retainEverything();
    return DecoderTable.getDecoder(kind).decode(in);
  }

  public static Status decodeStatus(InputStream body, boolean isProtobuf) throws IOException {
    return StatusDecoder.decode(openBody(body, isProtobuf, OBJECT_BUFFER, ""));
  }

  public static <T extends Resource> ListMeta decodeList(
      Kind<T> kind, InputStream body, boolean isProtobuf, Consumer<T> consumer) throws IOException {
    Decoder<T> decoder = DecoderTable.getDecoder(kind);
    WireReader in = openBody(body, isProtobuf, STREAM_BUFFER, kind.kind() + "List");
    ListMeta meta = new ListMeta(0, "");
    for (int field = in.next(ListFields.ALL); field != 0; field = in.next(ListFields.ALL)) {
      switch (field) {
        case ListFields.METADATA -> meta = MetaDecoder.decodeList(in);
        case ListFields.ITEMS -> {
          in.open();
          T object = decoder.decode(in);
          consumer.accept(object);
        }
        case ListFields.KIND -> checkKind(in.readText(), kind.kind() + "List");
        default -> in.skip();
      }
    }
    if (meta.version() <= 0) {
      throw new IOException(
          "list without a resourceVersion, perhaps not a response of the API server");
    }
    return meta;
  }

  /** Decodes a watch; blocks until the stream ends or {@link Events#isEnough}. */
  public static <T extends Resource> void decodeWatch(
      Kind<T> kind, InputStream body, boolean isProtobuf, Events<T> events) throws IOException {
    if (isProtobuf) {
      // buffered, because readNBytes(0) of the HTTP client's stream blocks at the end of a frame
      InputStream buffered = new BufferedInputStream(body, STREAM_BUFFER);
      while (!events.isEnough() && readFrame(kind, buffered, events)) {
        // until the stream ends
      }
      return;
    }
    InputStream buffered = new BufferedInputStream(body, STREAM_BUFFER);
    if (isBlank(buffered)) {
      return; // Gson cannot detect the end of an empty stream
    }
    JsonWireReader in = openJson(buffered);
    while (!events.isEnough() && in.getReader().peek() != JsonToken.END_DOCUMENT) {
      in.open();
      readEvent(kind, in, events);
    }
  }

  // Returns whether only white space follows; leaves other content unread.
  private static boolean isBlank(InputStream buffered) throws IOException {
    while (true) {
      buffered.mark(1);
      int nextByte = buffered.read();
      if (nextByte < 0) {
        return true;
      }
      if (!Character.isWhitespace(nextByte)) {
        buffered.reset();
        return false;
      }
    }
  }

  private static <T extends Resource> boolean readFrame(
      Kind<T> kind, InputStream body, Events<T> events) throws IOException {
    byte[] lengthBytes = body.readNBytes(4);
    if (lengthBytes.length == 0) {
      return false;
    }
    int length = lengthBytes.length < 4 ? -1 : ByteBuffer.wrap(lengthBytes).getInt();
    if (length < 0 || length > MAX_FRAME_BYTES) {
      throw new IOException("watch frame of invalid length");
    }
    byte[] bytes = body.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("truncated watch frame");
    }
    readEvent(kind, ProtobufWireReader.of(bytes, 0, length), events);
    return true;
  }

  private static <T extends Resource> void readEvent(Kind<T> kind, WireReader in, Events<T> events)
      throws IOException {
    String type = "";
    for (int field = in.next(WatchEvent.ALL); field != 0; field = in.next(WatchEvent.ALL)) {
      switch (field) {
        case WatchEvent.TYPE -> type = in.readSharedText();
        case WatchEvent.OBJECT -> {
          in.open();
          if (in instanceof ProtobufWireReader proto) {
            readEmbedded(kind, type, proto, events);
          } else {
            readObject(kind, type, in, events);
          }
        }
        default -> in.skip();
      }
    }
  }

  // Decodes a RawExtension; its raw bytes are an enveloped object.
  private static <T extends Resource> void readEmbedded(
      Kind<T> kind, String type, ProtobufWireReader in, Events<T> events) throws IOException {
    for (int field = in.next(RawExtension.ALL); field != 0; field = in.next(RawExtension.ALL)) {
      if (field != RawExtension.RAW) {
        in.skip();
        continue;
      }
      byte[] raw = in.bytes();
      if (raw.length < 4) {
        throw new EOFException("watch event without an object");
      }
      readObject(
          kind, type, openEnvelope(ProtobufWireReader.of(raw, 4, raw.length - 4), ""), events);
    }
  }

  private static <T extends Resource> void readObject(
      Kind<T> kind, String type, WireReader in, Events<T> events) throws IOException {
    switch (type) {
      case "ADDED", "MODIFIED", "DELETED" ->
          events.changed(type, DecoderTable.getDecoder(kind).decode(in));
      case "BOOKMARK" -> {
        Meta meta = MetaDecoder.decodeBookmark(in);
        events.bookmark(
            meta.resourceVersion(), meta.annotation("k8s.io/initial-events-end").equals("true"));
      }
      case "ERROR" -> events.error(StatusDecoder.decode(in));
      default -> throw new IOException("watch event of unknown type \"" + type + "\"");
    }
  }
}
