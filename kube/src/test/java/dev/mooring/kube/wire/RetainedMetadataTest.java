package dev.mooring.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Volume;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RetainedMetadataTest {
  private static final String LONG = "x".repeat(100_000);
  private static final String META =
      """
      {"metadata": {"name": "n", "namespace": "ns", "labels": {"tier": "gold"}, "annotations":
        {"mine": "%s", "volume.kubernetes.io/selected-node": "%s", "pv.kubernetes.io/bind-completed": "yes"}}}
      """
          .formatted(LONG, LONG);

  private static ByteArrayInputStream json() {
    return new ByteArrayInputStream(META.getBytes(StandardCharsets.UTF_8));
  }

  private interface Body {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    body.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] entry(String key, String value) throws IOException {
    return message(out -> {
      out.writeString(1, key);
      out.writeString(2, value);
    });
  }

  // The same object in protobuf: magic, Unknown, object, metadata.
  private static ByteArrayInputStream protobuf() throws IOException {
    byte[] meta =
        message(out -> {
          out.writeString(1, "n");
          out.writeString(3, "ns");
          out.writeByteArray(11, entry("tier", "gold"));
          out.writeByteArray(12, entry("mine", LONG));
          out.writeByteArray(12, entry("volume.kubernetes.io/selected-node", LONG));
          out.writeByteArray(12, entry("pv.kubernetes.io/bind-completed", "yes"));
        });
    byte[] object = message(out -> out.writeByteArray(1, meta));
    byte[] envelope = message(out -> out.writeByteArray(2, object));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(new byte[] {'k', '8', 's', 0});
    body.write(envelope);
    return new ByteArrayInputStream(body.toByteArray());
  }

  private static void assertFiltered(Meta meta) {
    assertThat(meta.labels()).isEmpty();
    assertThat(meta.annotations())
        .containsOnlyKeys("volume.kubernetes.io/selected-node", "pv.kubernetes.io/bind-completed");
    assertThat(meta.annotation("pv.kubernetes.io/bind-completed")).isEqualTo("yes");
    assertThat(meta.annotation("volume.kubernetes.io/selected-node")).hasSize(1024);
  }

  @Test
  void claim_unknownLabelsAndAnnotations_areDropped() throws IOException {
    assertFiltered(BodyDecoder.decodeObject(Kind.CLAIM, json(), false).meta());
    assertFiltered(BodyDecoder.decodeObject(Kind.CLAIM, protobuf(), true).meta());
  }

  @Test
  void volume_labelsAndAnnotations_areRetained() throws IOException {
    Volume volume = BodyDecoder.decodeObject(Kind.VOLUME, protobuf(), true);
    assertThat(volume.meta().labels()).containsEntry("tier", "gold");
    assertThat(volume.meta().annotations()).hasSize(3);
  }

  @Test
  void whole_claim_keepsAllMetadata() throws IOException {
    for (boolean protobuf : new boolean[] {false, true}) {
      Claim claim = BodyDecoder.decodeWhole(Kind.CLAIM, protobuf ? protobuf() : json(), protobuf);
      assertThat(claim.meta().labels()).containsEntry("tier", "gold");
      assertThat(claim.meta().annotation("mine")).hasSize(LONG.length());
    }
  }
}
