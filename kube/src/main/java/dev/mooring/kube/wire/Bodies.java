package dev.mooring.kube.wire;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.mooring.kube.wire.Wire.Fields;
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

/** Whole bodies: objects, lists, watch events, statuses; in protobuf or JSON. */
public final class Bodies {
  /** The media type of protobuf bodies. */
  public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private static final int MAGIC = 0x6b387300;
  private static final int LARGEST_FRAME = 64 << 20;
  private static final int OBJECT = 1 << 12; // bytes read at once
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
    static final int KIND = 15; // of JSON only: in protobuf it stands in the envelope
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
   * An API server's Status.
   *
   * @param code HTTP status code
   * @param reason the machine's word
   * @param message for people
   * @param retryAfterSeconds how long to wait, 0 if it does not say; at most 32, whatever is asked:
   *     the most that priority and fairness asks for, while a webhook may ask for anything
   * @param field the first field that is blamed, "" for none
   */
  public record Status(
      int code, String reason, String message, int retryAfterSeconds, String field) {
    private static final int LONGEST_PATIENCE = 32;

    public Status {
      retryAfterSeconds = Math.clamp(retryAfterSeconds, 0, LONGEST_PATIENCE);
    }

    /** Whether it says how long to wait. */
    public boolean asksForPatience() {
      return retryAfterSeconds > 0;
    }

    /** How long to wait: what it says, or a second. */
    public Duration patience() {
      return Duration.ofSeconds(Math.max(1, retryAfterSeconds));
    }
  }

  /** What a list says of itself. */
  public record ListInfo(long version, String next) {}

  /**
   * Takes the events of a watch.
   *
   * @param <T> the objects
   */
  public interface Events<T> {
    void changed(String type, T object);

    void bookmark(long version, boolean endsInitialEvents);

    void error(Status status);

    /** Whether nothing more is to be told; asked after every event. */
    default boolean isEnough() {
      return false;
    }
  }

  private Bodies() {}

  @SuppressWarnings("unchecked") // the map pairs each class with its own decoder
  public static <T extends Resource> Decoder<T> decoder(Kind<T> kind) {
    return (Decoder<T>) Objects.requireNonNull(Decoders.ALL.get(kind.type()));
  }

  private static JsonWire json(InputStream body) {
    JsonReader reader = new JsonReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    reader.setStrictness(Strictness.LENIENT); // several values in one stream
    return new JsonWire(reader);
  }

  /** Opens an enveloped message: magic, Unknown, raw. Two levels are left open. */
  private static Wire envelope(ProtoWire in, String expected) throws IOException {
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
    throw new EOFException("a protobuf body without an object in it");
  }

  private static void magic(InputStream body) throws IOException {
    byte[] start = body.readNBytes(4);
    if (start.length < 4 || ByteBuffer.wrap(start).getInt() != MAGIC) {
      throw new IOException("a protobuf body that does not begin with its magic number");
    }
  }

  private static Wire opened(InputStream body, boolean protobuf, int buffer, String expected)
      throws IOException {
    if (protobuf) {
      magic(body);
      return envelope(ProtoWire.of(body, buffer), expected);
    }
    JsonWire in = json(body);
    in.open();
    return in;
  }

  /** An answer without a kind passes: its key is compared in any case. */
  static void checkKind(String answered, String expected) throws IOException {
    if (!answered.isEmpty() && !answered.equals(expected)) {
      throw new IOException("the answer is of kind " + answered + ", not " + expected);
    }
  }

  private static <T extends Resource> Wire openedObject(
      Kind<T> kind, InputStream body, boolean protobuf) throws IOException {
    if (protobuf) {
      return opened(body, true, OBJECT, kind.kind());
    }
    byte[] bytes = body.readNBytes(LARGEST_FRAME); // the kind may stand behind the rest
    checkKind(kindOf(bytes, false), kind.kind());
    return opened(new ByteArrayInputStream(bytes), false, OBJECT, "");
  }

  /** One object, with what is kept of its kind. */
  public static <T extends Resource> T object(Kind<T> kind, InputStream body, boolean protobuf)
      throws IOException {
    return decoder(kind).decode(openedObject(kind, body, protobuf));
  }

  /**
   * The object in the answer to its deletion. Empty where the server answers with a Status instead:
   * the object is gone, and the server does not return objects of this kind.
   *
   * @param expected the object that was to be deleted
   * @throws IOException if the answer is about another object, or does not say success
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
    Wire in = json(new ByteArrayInputStream(bytes));
    if (protobuf) {
      magic(new ByteArrayInputStream(bytes));
      in = ProtoWire.of(bytes, 4, bytes.length - 4);
      if (in.next(UnknownFields.ALL) != UnknownFields.TYPE_META) {
        return "";
      }
    }
    return in.only(TypeMeta.ALL, TypeMeta.KIND);
  }

  /**
   * One object, with what is kept of its kind.
   *
   * @param whole takes it first, with all its labels and annotations
   */
  public static <T extends Resource> T object(
      Kind<T> kind, InputStream body, boolean protobuf, Consumer<T> whole) throws IOException {
    byte[] bytes = body.readNBytes(LARGEST_FRAME);
    whole.accept(whole(kind, new ByteArrayInputStream(bytes), protobuf));
    return object(kind, new ByteArrayInputStream(bytes), protobuf);
  }

  /** One object with all its labels and annotations, whoever reads them: not to be kept. */
  public static <T extends Resource> T whole(Kind<T> kind, InputStream body, boolean protobuf)
      throws IOException {
    Wire in = openedObject(kind, body, protobuf);
    in.keepWhole();
    return decoder(kind).decode(in);
  }

  public static Status status(InputStream body, boolean protobuf) throws IOException {
    return StatusDecoder.status(opened(body, protobuf, OBJECT, ""));
  }

  /** A list; every object is handed over as soon as it is read. */
  public static <T extends Resource> ListInfo list(
      Kind<T> kind, InputStream body, boolean protobuf, Consumer<T> each) throws IOException {
    Decoder<T> decoder = decoder(kind);
    Wire in = opened(body, protobuf, LIST_OR_WATCH, kind.kind() + "List");
    Metas.ListMeta meta = new Metas.ListMeta(0, "");
    for (int field = in.next(ListFields.ALL); field != 0; field = in.next(ListFields.ALL)) {
      switch (field) {
        case ListFields.METADATA -> meta = Metas.list(in);
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
      throw new IOException("a list without a version: it may be no answer of the API server");
    }
    return new ListInfo(meta.version(), meta.next());
  }

  /** A watch: blocks on the stream until it ends, or enough was told. */
  public static <T extends Resource> void watch(
      Kind<T> kind, InputStream body, boolean protobuf, Events<T> events) throws IOException {
    if (protobuf) {
      // buffered, because the HTTP client's stream waits for data even when asked for none, as
      // readNBytes does at the end of a frame
      InputStream buffered = new BufferedInputStream(body, LIST_OR_WATCH);
      while (!events.isEnough() && frame(kind, buffered, events)) {
        // until the stream ends
      }
      return;
    }
    InputStream buffered = new BufferedInputStream(body, LIST_OR_WATCH);
    if (isBlank(buffered)) {
      return; // Gson has no end of a document that never began
    }
    JsonWire in = json(buffered);
    while (!events.isEnough() && in.reader().peek() != JsonToken.END_DOCUMENT) {
      in.open();
      event(kind, in, events);
    }
  }

  /** Whether the stream ends before anything but white space; what follows it is left to read. */
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
      throw new IOException("a watch frame of impossible length");
    }
    byte[] bytes = body.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("a watch frame that breaks off");
    }
    event(kind, ProtoWire.of(bytes, 0, length), events);
    return true;
  }

  private static <T extends Resource> void event(Kind<T> kind, Wire in, Events<T> events)
      throws IOException {
    String type = "";
    for (int field = in.next(WatchEvent.ALL); field != 0; field = in.next(WatchEvent.ALL)) {
      switch (field) {
        case WatchEvent.TYPE -> type = in.shared();
        case WatchEvent.OBJECT -> {
          in.open();
          if (in instanceof ProtoWire proto) {
            embedded(kind, type, proto, events);
          } else {
            object(kind, type, in, events);
          }
        }
        default -> in.skip();
      }
    }
  }

  /** RawExtension: its raw bytes are an enveloped object again. */
  private static <T extends Resource> void embedded(
      Kind<T> kind, String type, ProtoWire in, Events<T> events) throws IOException {
    for (int field = in.next(RawExtension.ALL); field != 0; field = in.next(RawExtension.ALL)) {
      if (field != RawExtension.RAW) {
        in.skip();
        continue;
      }
      byte[] raw = in.bytes();
      if (raw.length < 4) {
        throw new EOFException("a watch event without an object");
      }
      object(kind, type, envelope(ProtoWire.of(raw, 4, raw.length - 4), ""), events);
    }
  }

  private static <T extends Resource> void object(
      Kind<T> kind, String type, Wire in, Events<T> events) throws IOException {
    switch (type) {
      case "ADDED", "MODIFIED", "DELETED" -> events.changed(type, decoder(kind).decode(in));
      case "BOOKMARK" -> {
        Meta meta = Metas.only(in, Kept.OF_BOOKMARK);
        events.bookmark(
            meta.resourceVersion(), meta.annotation("k8s.io/initial-events-end").equals("true"));
      }
      case "ERROR" -> events.error(StatusDecoder.status(in));
      default -> throw new IOException("a watch event of unknown type \"" + type + "\"");
    }
  }
}
