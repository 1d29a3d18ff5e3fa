package dev.mooring.kube.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.mooring.model.Quantity;
import dev.mooring.wire.WireReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;

/** Reads protobuf. */
public final class ProtobufWireReader extends WireReader {
  private static final class MapEntry {
    static final int KEY = 1;
    static final int VALUE = 2;
    static final Fields ALL = Fields.of(KEY, "key").and(VALUE, "value");
  }

  private static final class QuantityFields {
    static final int STRING = 1;
    static final Fields ALL = Fields.of(STRING, "string");
  }

  private static final class Timestamp {
    static final int SECONDS = 1;
    static final int NANOS = 2;
    static final Fields ALL = Fields.of(SECONDS, "seconds").and(NANOS, "nanos");
  }

  private final CodedInputStream in;
  private int[] limits = new int[8];
  private int depth;
  private int tag;

  private ProtobufWireReader(CodedInputStream in) {
    this.in = in;
    in.setSizeLimit(Integer.MAX_VALUE);
  }

  /**
   * Creates a wire over a stream positioned at a message.
   *
   * @param buffer read size in bytes. Most responses are one small object, and a large buffer would
   *     be the largest allocation of a write
   */
  public static ProtobufWireReader of(InputStream in, int buffer) {
    return new ProtobufWireReader(CodedInputStream.newInstance(in, buffer));
  }

  public static ProtobufWireReader of(byte[] bytes, int offset, int length) {
    return new ProtobufWireReader(CodedInputStream.newInstance(bytes, offset, length));
  }

  @Override
  public int next(Fields fields) throws IOException {
    tag = in.readTag();
    if (tag == 0 && depth > 0) {
      in.popLimit(limits[--depth]);
    }
    return WireFormat.getTagFieldNumber(tag);
  }

  @Override
  public void skip() throws IOException {
    in.skipField(tag);
  }

  @Override
  public String readText() throws IOException {
    return in.readString();
  }

  byte[] bytes() throws IOException {
    return in.readByteArray();
  }

  @Override
  public boolean readFlag() throws IOException {
    return in.readBool();
  }

  @Override
  public long readNumber() throws IOException {
    return in.readInt64();
  }

  @Override
  public void open() throws IOException {
    if (depth == limits.length) {
      limits = Arrays.copyOf(limits, 2 * depth);
    }
    limits[depth++] = in.pushLimit(in.readRawVarint32());
  }

  @Override
  public Quantity readQuantity() throws IOException {
    return parseQuantity(readSingleField(QuantityFields.ALL, QuantityFields.STRING));
  }

  @Override
  public long readMicros() throws IOException {
    long seconds = 0;
    long nanos = 0;
    for (int field = open(Timestamp.ALL); field != 0; field = next(Timestamp.ALL)) {
      switch (field) {
        case Timestamp.SECONDS -> seconds = readNumber();
        case Timestamp.NANOS -> nanos = readNumber();
        default -> skip();
      }
    }
    return seconds < -62_000_000_000L ? 0 : seconds * 1_000_000 + nanos / 1000;
  }

  @Override
  public void readStrings(Map<String, String> target, Predicate<String> names) throws IOException {
    String key = "";
    String value = "";
    for (int field = open(MapEntry.ALL); field != 0; field = next(MapEntry.ALL)) {
      switch (field) {
        case MapEntry.KEY -> key = readText();
        case MapEntry.VALUE -> {
          if (key.isEmpty() || names.test(key)) {
            value = readText();
          } else {
            skip();
          }
        }
        default -> skip();
      }
    }
    if (names.test(key)) {
      target.put(WireReader.shareText(key), value);
    }
  }

  @Override
  public void readQuantities(Map<String, Quantity> target) throws IOException {
    String key = "";
    Quantity value = Quantity.ZERO;
    for (int field = open(MapEntry.ALL); field != 0; field = next(MapEntry.ALL)) {
      switch (field) {
        case MapEntry.KEY -> key = readSharedText();
        case MapEntry.VALUE -> value = readQuantity();
        default -> skip();
      }
    }
    target.put(key, value);
  }
}
