package dev.mooring.apiserver.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MessageWriterTest {
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] encode(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    fields.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  @Test
  void fields_ofEachType_equalThoseOfProtobuf() throws IOException {
    MessageWriter writer = new MessageWriter(1);
    writer.writeText(1, "");
    writer.writeText(2, "größe \uD83D\uDE00");
    writer.writeText(300, "x".repeat(200));
    writer.writeFlag(4, true);
    writer.writeNumber(5, -1);
    writer.writeNumber(6, 300);
    writer.writeDouble(7, -0.5);
    writer.writeBytes(8, new byte[] {1, 2});
    assertThat(writer.toByteArray())
        .isEqualTo(
            encode(out -> {
              out.writeString(1, "");
              out.writeString(2, "größe \uD83D\uDE00");
              out.writeString(300, "x".repeat(200));
              out.writeBool(4, true);
              out.writeInt64(5, -1);
              out.writeInt32(6, 300);
              out.writeDouble(7, -0.5);
              out.writeByteArray(8, new byte[] {1, 2});
            }));
  }

  @Test
  void nestedMessage_ofAnyLength_hasItsLengthAndContent() throws IOException {
    for (int length : new int[] {0, 120, 130, 20_000}) {
      MessageWriter writer = new MessageWriter();
      int outer = writer.startMessage(1);
      int inner = writer.startMessage(20);
      writer.writeText(2, "a".repeat(length));
      writer.endMessage(inner);
      writer.writeNumber(3, 7);
      writer.endMessage(outer);
      byte[] text = encode(out -> out.writeString(2, "a".repeat(length)));
      byte[] nested =
          encode(out -> {
            out.writeByteArray(20, text);
            out.writeInt64(3, 7);
          });
      assertThat(writer.toByteArray()).isEqualTo(encode(out -> out.writeByteArray(1, nested)));
    }
  }

  @Test
  void emptyMessage_thatIsDropped_leavesNoField() throws IOException {
    MessageWriter writer = new MessageWriter();
    writer.writeNumber(1, 7);
    writer.endOrDropMessage(20, writer.startMessage(20));
    assertThat(writer.toByteArray()).isEqualTo(encode(out -> out.writeInt64(1, 7)));
  }
}
