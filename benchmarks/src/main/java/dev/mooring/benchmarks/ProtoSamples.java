package dev.mooring.benchmarks;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

/**
 * A protobuf list of pods of about 5.9 KB each, mostly managed fields, as an API server sends it.
 */
final class ProtoSamples {
  @FunctionalInterface
  private interface MessageBody {
    void write(CodedOutputStream out) throws IOException;
  }

  private ProtoSamples() {}

  private static byte[] bytes(MessageBody body) {
    try {
      ByteArrayOutputStream buffer = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      body.write(out);
      out.flush();
      return buffer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] pods(int count) {
    byte[] list =
        bytes(out -> {
          out.writeByteArray(1, bytes(o -> o.writeString(2, "9")));
          for (int i = 0; i < count; i++) {
            out.writeByteArray(2, pod(i));
          }
        });
    return bytes(out -> {
      out.writeRawBytes(new byte[] {'k', '8', 's', 0});
      out.writeByteArray(
          1,
          bytes(o -> {
            o.writeString(1, "v1");
            o.writeString(2, "PodList");
          }));
      out.writeByteArray(2, list);
    });
  }

  private static byte[] pod(int i) {
    return bytes(out -> {
      out.writeByteArray(1, bytes(meta -> metadata(meta, i)));
      out.writeByteArray(2, bytes(spec -> spec(spec, i)));
      out.writeByteArray(3, bytes(ProtoSamples::status));
    });
  }

  private static void metadata(CodedOutputStream out, int i) throws IOException {
    out.writeString(1, "web-" + i);
    out.writeString(3, "team-" + i % 100);
    out.writeString(5, new UUID(3, i).toString());
    out.writeString(6, Integer.toString(i));
    out.writeByteArray(8, bytes(t -> t.writeInt64(1, 1_767_225_600)));
    out.writeByteArray(
        12,
        bytes(a -> {
          a.writeString(1, "example.com/a");
          a.writeString(2, "x".repeat(400));
        }));
    out.writeByteArray(17, bytes(m -> m.writeByteArray(7, new byte[3600])));
  }

  private static void spec(CodedOutputStream out, int i) throws IOException {
    byte[] claim = bytes(c -> c.writeString(1, "data-" + i));
    out.writeByteArray(
        1,
        bytes(volume -> {
          volume.writeString(1, "data");
          volume.writeByteArray(2, bytes(source -> source.writeByteArray(10, claim)));
        }));
    for (int c = 0; c < 2; c++) {
      out.writeByteArray(
          2,
          bytes(container -> {
            container.writeString(1, "web");
            container.writeByteArray(7, new byte[500]);
          }));
    }
    out.writeString(10, "node-" + i % 100);
  }

  private static void status(CodedOutputStream out) throws IOException {
    out.writeString(1, "Running");
    out.writeByteArray(
        8,
        bytes(container -> {
          container.writeString(1, "web");
          container.writeByteArray(2, bytes(state -> state.writeByteArray(2, new byte[0])));
          container.writeString(7, "sha256:" + "0".repeat(64));
        }));
  }
}
