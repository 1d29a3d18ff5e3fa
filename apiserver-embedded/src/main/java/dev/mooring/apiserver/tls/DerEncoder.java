package dev.mooring.apiserver.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Encodes the parts of DER that a certificate needs: the JDK has no API that creates certificates.
 */
final class DerEncoder {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private DerEncoder() {}

  static byte[] encodeTagged(int tag, byte[]... elements) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] element : elements) {
      content.writeBytes(element);
    }
    int length = content.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] lengthBytes = BigInteger.valueOf(length).toByteArray();
      int start = lengthBytes[0] == 0 ? 1 : 0;
      out.write(0x80 | (lengthBytes.length - start));
      out.write(lengthBytes, start, lengthBytes.length - start);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  static byte[] encodeSequence(byte[]... elements) {
    return encodeTagged(0x30, elements);
  }

  static byte[] encodeSet(byte[]... elements) {
    return encodeTagged(0x31, elements);
  }

  static byte[] encodeInteger(BigInteger value) {
    return encodeTagged(0x02, value.toByteArray());
  }

  static byte[] encodeTrue() {
    return encodeTagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] encodeOctets(byte[] value) {
    return encodeTagged(0x04, value);
  }

  static byte[] encodeBits(byte[] value) {
    return encodeTagged(0x03, new byte[] {0}, value);
  }

  static byte[] encodeText(String value) {
    return encodeTagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] encodeTime(Instant value) {
    return encodeTagged(0x18, TIME.format(value).getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] encodeOid(int... arcs) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(arcs[0] * 40 + arcs[1]);
    for (int i = 2; i < arcs.length; i++) {
      int arc = arcs[i];
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >> shift != 0) {
          out.write(0x80 | (arc >> shift) & 0x7f);
        }
      }
      out.write(arc & 0x7f);
    }
    return encodeTagged(0x06, out.toByteArray());
  }
}
