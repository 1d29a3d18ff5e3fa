package dev.mooring.kube.wire;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** A protobuf message under construction. */
final class ProtoMessage {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  ProtoMessage text(int field, String value) throws IOException {
    out.writeString(field, value);
    return this;
  }

  ProtoMessage number(int field, long value) throws IOException {
    out.writeInt64(field, value);
    return this;
  }

  ProtoMessage with(int field, ProtoMessage value) throws IOException {
    out.writeByteArray(field, value.bytes());
    return this;
  }

  byte[] bytes() throws IOException {
    out.flush();
    return bytes.toByteArray();
  }
}
