package dev.mooring.apiserver.codec;

import com.google.protobuf.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Protobuf fields in one growing array. A nested message is written in place, and its length
 * inserted at its end, so that nesting copies few bytes.
 */
final class MessageWriter {
  private static final int FIRST_SIZE = 1 << 10;
  private static final int MAX_VARINT = 10;
  private static final int PAYLOAD_BITS = 7;
  private static final int CONTINUATION = 1 << PAYLOAD_BITS;

  private byte[] bytes;
  private int size;

  MessageWriter() {
    this(FIRST_SIZE);
  }

  MessageWriter(int expectedSize) {
    bytes = new byte[expectedSize];
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void writeRaw(byte[] source) {
    reserve(source.length);
    System.arraycopy(source, 0, bytes, size, source.length);
    size += source.length;
  }

  void writeBytes(int field, byte[] value) {
    writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    writeVarint(value.length);
    writeRaw(value);
  }

  void writeText(int field, String text) {
    int start = startMessage(field);
    int length = text.length();
    reserve(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= CONTINUATION) {
        size = start;
        writeRaw(text.getBytes(StandardCharsets.UTF_8));
        break;
      }
      bytes[size++] = (byte) c;
    }
    endMessage(start);
  }

  void writeFlag(int field, boolean value) {
    writeNumber(field, value ? 1 : 0);
  }

  void writeNumber(int field, long value) {
    writeTag(field, WireFormat.WIRETYPE_VARINT);
    writeVarint(value);
  }

  void writeDouble(int field, double value) {
    writeTag(field, WireFormat.WIRETYPE_FIXED64);
    reserve(Long.BYTES);
    long bits = Double.doubleToRawLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[size++] = (byte) (bits >>> (Byte.SIZE * i));
    }
  }

  /**
   * Starts a nested message.
   *
   * @return the position to pass to {@link #endMessage}
   */
  int startMessage(int field) {
    writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    reserve(1);
    return ++size; // one byte suffices for the length of most messages
  }

  void endMessage(int start) {
    int length = size - start;
    int lengthBytes = countVarintBytes(length);
    reserve(lengthBytes - 1);
    System.arraycopy(bytes, start, bytes, start + lengthBytes - 1, length);
    size = start - 1;
    writeVarint(length);
    size += length;
  }

  void endOrDropMessage(int field, int start) {
    if (size > start) {
      endMessage(start);
    } else {
      size = start - 1 - countVarintBytes(makeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED));
    }
  }

  private void writeTag(int field, int wireType) {
    writeVarint(makeTag(field, wireType));
  }

  private static int makeTag(int field, int wireType) {
    return field << 3 | wireType;
  }

  private void writeVarint(long value) {
    reserve(MAX_VARINT);
    long rest = value;
    while ((rest & -CONTINUATION) != 0) {
      bytes[size++] = (byte) (rest & CONTINUATION - 1 | CONTINUATION);
      rest >>>= PAYLOAD_BITS;
    }
    bytes[size++] = (byte) rest;
  }

  private static int countVarintBytes(int value) {
    int count = 1;
    for (int rest = value >>> PAYLOAD_BITS; rest != 0; rest >>>= PAYLOAD_BITS) {
      count++;
    }
    return count;
  }

  private void reserve(int count) {
    if (bytes.length - size < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + count));
    }
  }
}
