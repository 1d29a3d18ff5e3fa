package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Answers to deletions. Since Kubernetes 1.38 their Status has a resourceVersion. */
class DeletionAnswerTest {
  private static final DeletionStatus EXPECTED = new DeletionStatus("a", "u", true);

  @Test
  void decodeDeleted_jsonStatusWithVersion_confirmsDeletion() throws IOException {
    byte[] status =
        """
        {"kind":"Status","apiVersion":"v1","metadata":{"resourceVersion":"4711"},"status":"Success","details":{"name":"a","kind":"pods","uid":"u"}}
        """
            .getBytes(StandardCharsets.UTF_8);
    assertThat(
            BodyDecoder.decodeDeleted(Kind.POD, EXPECTED, new ByteArrayInputStream(status), false))
        .isEmpty();
  }

  @Test
  void decodeDeleted_protobufStatusWithVersion_confirmsDeletion() throws IOException {
    ProtoMessage status =
        new ProtoMessage()
            .with(1, new ProtoMessage().text(2, "4711"))
            .text(2, "Success")
            .with(5, new ProtoMessage().text(1, "a").text(3, "pods").text(6, "u"));
    ProtoMessage unknown =
        new ProtoMessage()
            .with(1, new ProtoMessage().text(1, "v1").text(2, "Status"))
            .with(2, status);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(new byte[] {'k', '8', 's', 0});
    body.write(unknown.bytes());
    assertThat(
            BodyDecoder.decodeDeleted(
                Kind.POD, EXPECTED, new ByteArrayInputStream(body.toByteArray()), true))
        .isEmpty();
  }
}
