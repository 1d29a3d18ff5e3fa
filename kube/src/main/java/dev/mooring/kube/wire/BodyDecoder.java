package dev.mooring.kube.wire;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Resource;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Decodes whole bodies in protobuf or JSON: objects, lists, watch events and statuses. */
public final class BodyDecoder {
  public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private static final int MAGIC = 0x6b387300;
  private static final int LARGEST_FRAME = 64 << 20;
  private static final int OBJECT = 1 << 12; // buffer size in bytes
  private static final int LIST_OR_WATCH = 1 << 16;

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
    private static final int LONGEST_PATIENCE = 32;

    public Status {
      retryAfterSeconds = Math.clamp(retryAfterSeconds, 0, LONGEST_PATIENCE);
    }

    public boolean asksForPatience() {
      return retryAfterSeconds > 0;
    }

    public Duration patience() {
      return Duration.ofSeconds(Math.max(1, retryAfterSeconds));
    }
  }

  public record ListInfo(long version, String next) {}

  public interface Events<T> {
    void changed(String type, T object);

    void bookmark(long version, boolean endsInitialEvents);

    void error(Status status);

    default boolean isEnough() {
      return false;
    }
  }

  private BodyDecoder() {}

  @SuppressWarnings("unchecked") // the map pairs each class with its own decoder
  public static <T extends Resource> Decoder<T> decoder(Kind<T> kind) {
    return (Decoder<T>) Objects.requireNonNull(DecoderTable.ALL.get(kind.type()));
  }

  private static JsonWireReader json(InputStream body) {
    JsonReader reader = new JsonReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    reader.setStrictness(Strictness.LENIENT); // several values in one stream
    return new JsonWireReader(reader);
  }

  // Opens an enveloped message: magic, Unknown, raw. Leaves two levels open.
  private static WireReader envelope(ProtobufWireReader in, String expected) throws IOException {
    for (int field = in.next(UnknownFields.ALL); field != 0; field = in.next(UnknownFields.ALL)) {
      if (field == UnknownFields.TYPE_META && !expected.isEmpty()) {
        checkKind(in.only(TypeMeta.ALL, TypeMeta.KIND), expected);
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

  private static void magic(InputStream body) throws IOException {
    byte[] start = body.readNBytes(4);
    if (start.length < 4 || ByteBuffer.wrap(start).getInt() != MAGIC) {
      throw new IOException("protobuf body without its magic number");
    }
  }

  private static WireReader opened(InputStream body, boolean protobuf, int buffer, String expected)
      throws IOException {
    if (protobuf) {
      magic(body);
      return envelope(ProtobufWireReader.of(body, buffer), expected);
    }
    JsonWireReader in = json(body);
    in.open();
    return in;
  }

  /** Checks the kind. Accepts an answer without a kind, because its key is compared anyway. */
  static void checkKind(String answered, String expected) throws IOException {
    if (!answered.isEmpty() && !answered.equals(expected)) {
      throw new IOException("unexpected kind in the response: " + answered + ", not " + expected);
    }
  }

  private static <T extends Resource> WireReader openedObject(
      Kind<T> kind, InputStream body, boolean protobuf) throws IOException {
    if (protobuf) {
      return opened(body, true, OBJECT, kind.kind());
    }
    byte[] bytes = body.readNBytes(LARGEST_FRAME); // the kind may follow other fields
    checkKind(kindOf(bytes, false), kind.kind());
    return opened(new ByteArrayInputStream(bytes), false, OBJECT, "");
  }

  public static <T extends Resource> T object(Kind<T> kind, InputStream body, boolean protobuf)
      throws IOException {
    return decoder(kind).decode(openedObject(kind, body, protobuf));
  }

  /**
   * Decodes the response to a deletion. Empty if it is a Status instead of the object: the object
   * is gone, and the server does not return objects of this kind.
   *
   * @param expected the object that was to be deleted
   * @throws IOException if the response is about another object or does not confirm success
   */
  public static <T extends Resource> Optional<T> deleted(
      Kind<T> kind, DeletionStatus expected, InputStream body, boolean protobuf)
      throws IOException {
    byte[] bytes = body.readNBytes(LARGEST_FRAME);
    ByteArrayInputStream again = new ByteArrayInputStream(bytes);
    if (kindOf(bytes, protobuf).equals("Status")) {
      DeletionStatus.of(opened(again, protobuf, OBJECT, "")).check(expected);
      return Optional.empty();
    }
    T last = object(kind, again, protobuf);
    new DeletionStatus(last.meta().name(), last.meta().uid().toString(), true).check(expected);
    return Optional.of(last);
  }

  private static String kindOf(byte[] bytes, boolean protobuf) throws IOException {
    WireReader in = json(new ByteArrayInputStream(bytes));
    if (protobuf) {
      magic(new ByteArrayInputStream(bytes));
      in = ProtobufWireReader.of(bytes, 4, bytes.length - 4);
      if (in.next(UnknownFields.ALL) != UnknownFields.TYPE_META) {
        return "";
      }
    }
    return in.only(TypeMeta.ALL, TypeMeta.KIND);
  }

  public static <T extends Resource> T object(
      Kind<T> kind, InputStream body, boolean protobuf, Consumer<T> whole) throws IOException {
    byte[] bytes = body.readNBytes(LARGEST_FRAME);
    whole.accept(whole(kind, new ByteArrayInputStream(bytes), protobuf));
    return object(kind, new ByteArrayInputStream(bytes), protobuf);
  }

  /** Decodes one object with all labels and annotations. The caller must not cache it. */
  public static <T extends Resource> T whole(Kind<T> kind, InputStream body, boolean protobuf)
      throws IOException {
    WireReader in = openedObject(kind, body, protobuf);
    in.keepWhole();
    return decoder(kind).decode(in);
  }

  public static Status status(InputStream body, boolean protobuf) throws IOException {
    return StatusDecoder.status(opened(body, protobuf, OBJECT, ""));
  }

  public static <T extends Resource> ListInfo list(
      Kind<T> kind, InputStream body, boolean protobuf, Consumer<T> each) throws IOException {
    Decoder<T> decoder = decoder(kind);
    WireReader in = opened(body, protobuf, LIST_OR_WATCH, kind.kind() + "List");
    MetaDecoder.ListMeta meta = new MetaDecoder.ListMeta(0, "");
    for (int field = in.next(ListFields.ALL); field != 0; field = in.next(ListFields.ALL)) {
      switch (field) {
        case ListFields.METADATA -> meta = MetaDecoder.list(in);
        case ListFields.ITEMS -> {
          in.open();
          T object = decoder.decode(in);
          each.accept(object);
        }
        case ListFields.KIND -> checkKind(in.text(), kind.kind() + "List");
        default -> in.skip();
      }
    }
    if (meta.version() <= 0) {
      throw new IOException(
          "list without a resourceVersion, perhaps not a response of the API server");
    }
    return new ListInfo(meta.version(), meta.next());
  }

  /** Decodes a watch; blocks until the stream ends or {@link Events#isEnough}. */
  public static <T extends Resource> void watch(
      Kind<T> kind, InputStream body, boolean protobuf, Events<T> events) throws IOException {
    if (protobuf) {
      // buffered: at the end of a frame readNBytes requests zero bytes, for which the HTTP client's
      // stream
      // would block
      InputStream buffered = new BufferedInputStream(body, LIST_OR_WATCH);
      while (!events.isEnough() && frame(kind, buffered, events)) {
        // until the stream ends
      }
      return;
    }
    InputStream buffered = new BufferedInputStream(body, LIST_OR_WATCH);
    if (isBlank(buffered)) {
      return; // Gson cannot detect the end of an empty stream
    }
    JsonWireReader in = json(buffered);
    while (!events.isEnough() && in.reader().peek() != JsonToken.END_DOCUMENT) {
      in.open();
      event(kind, in, events);
    }
  }

  // Returns whether only white space follows; leaves other content unread.
  private static boolean isBlank(InputStream buffered) throws IOException {
    while (true) {
      buffered.mark(1);
      int next = buffered.read();
      if (next < 0) {
        return true;
      }
      if (!Character.isWhitespace(next)) {
        buffered.reset();
        return false;
      }
    }
  }

  private static <T extends Resource> boolean frame(
      Kind<T> kind, InputStream body, Events<T> events) throws IOException {
    byte[] head = body.readNBytes(4);
    if (head.length == 0) {
      return false;
    }
    int length = head.length < 4 ? -1 : ByteBuffer.wrap(head).getInt();
    if (length < 0 || length > LARGEST_FRAME) {
      throw new IOException("watch frame of invalid length");
    }
    byte[] bytes = body.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("truncated watch frame");
    }
    event(kind, ProtobufWireReader.of(bytes, 0, length), events);
    return true;
  }

  private static <T extends Resource> void event(Kind<T> kind, WireReader in, Events<T> events)
      throws IOException {
    String type = "";
    for (int field = in.next(WatchEvent.ALL); field != 0; field = in.next(WatchEvent.ALL)) {
      switch (field) {
        case WatchEvent.TYPE -> type = in.shared();
        case WatchEvent.OBJECT -> {
          in.open();
          if (in instanceof ProtobufWireReader proto) {
            embedded(kind, type, proto, events);
          } else {
            object(kind, type, in, events);
          }
        }
        default -> in.skip();
      }
    }
  }

  // Decodes a RawExtension; its raw bytes are an enveloped object.
  private static <T extends Resource> void embedded(
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
      object(kind, type, envelope(ProtobufWireReader.of(raw, 4, raw.length - 4), ""), events);
    }
  }

  private static <T extends Resource> void object(
      Kind<T> kind, String type, WireReader in, Events<T> events) throws IOException {
    switch (type) {
      case "ADDED", "MODIFIED", "DELETED" -> events.changed(type, decoder(kind).decode(in));
      case "BOOKMARK" -> {
        Meta meta = MetaDecoder.only(in, RetainedFields.OF_BOOKMARK);
        events.bookmark(
            meta.resourceVersion(), meta.annotation("k8s.io/initial-events-end").equals("true"));
      }
      case "ERROR" -> events.error(StatusDecoder.status(in));
      default -> throw new IOException("watch event of unknown type \"" + type + "\"");
    }
  }
}
