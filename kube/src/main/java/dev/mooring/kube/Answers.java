package dev.mooring.kube;

import dev.mooring.kube.wire.Bodies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import okhttp3.Response;

/** What answers have in common. */
final class Answers {
  private static final int LONGEST_ERROR = 1 << 20;

  private Answers() {}

  static boolean isProtobuf(Response answer) {
    String type = answer.header("Content-Type", "");
    return type != null && type.startsWith(Bodies.PROTOBUF);
  }

  /**
   * The Status in the body of a refusal; what is no Status (a proxy's page, plain text) becomes
   * one.
   */
  static Bodies.Status status(int code, InputStream body, boolean protobuf) throws IOException {
    byte[] bytes = body.readNBytes(LONGEST_ERROR);
    try {
      Bodies.Status status = Bodies.status(new ByteArrayInputStream(bytes), protobuf);
      return new Bodies.Status(
          code, status.reason(), status.message(), status.retryAfterSeconds(), status.field());
    } catch (IOException | IllegalStateException notAStatus) {
      String text =
          new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.UTF_8).strip();
      return new Bodies.Status(code, "", text, 0, "");
    }
  }
}
