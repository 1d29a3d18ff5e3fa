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

  static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] big = BigInteger.valueOf(length).toByteArray();
      int from = big[0] == 0 ? 1 : 0;
      out.write(0x80 | (big.length - from));
      out.write(big, from, big.length - from);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, parts);
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, parts);
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] truth() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] value) {
    return tagged(0x04, value);
  }

  static byte[] bits(byte[] value) {
    return tagged(0x03, new byte[] {0}, value);
  }

  static byte[] text(String value) {
    return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant value) {
    return tagged(0x18, TIME.format(value).getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] oid(int... arcs) {
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
    return tagged(0x06, out.toByteArray());
  }
}
