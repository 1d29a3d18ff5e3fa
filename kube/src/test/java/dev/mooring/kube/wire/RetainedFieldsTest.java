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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetainedFieldsTest {
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

  private static final Pattern CONSTANT =
      Pattern.compile("String\\s+([A-Z_]+)\\s*=\\s*\"([^\"]+)\"");
  private static final Pattern READ =
      Pattern.compile(
          "(\\w+)(?:\\(\\))?\\s*\\.meta\\(\\)\\s*\\.(?:annotation|has)\\(\\s*(?:\\w+\\.)?([A-Z_]{3,}|\"[^\"]+\")\\s*\\)");
  private static final List<String> NAMES_OF_VOLUMES = List.of("volume", "v");
  private static final List<String> NAMES_OF_CLAIMS = List.of("claim", "c");

  /**
   * Searches the main sources for annotations that are read from objects other than volumes. {@link
   * RetainedFields} must retain each of them. Classes are not searched, because they retain all
   * annotations.
   */
  @Test
  void annotations_readInMainCode_areRetained() throws IOException {
    List<RetainedFields> retained =
        List.of(
            RetainedFields.OF_CLAIM,
            RetainedFields.OF_NODE,
            RetainedFields.OF_ATTACHMENT,
            RetainedFields.OF_SNAPSHOT_CONTENT,
            RetainedFields.OF_SNAPSHOT_CLASS,
            RetainedFields.OF_GROUP_CONTENT,
            RetainedFields.OF_GROUP_CLASS,
            RetainedFields.OF_BOOKMARK);
    Map<String, String> constants = new HashMap<>();
    List<MatchResult> reads = new ArrayList<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      CONSTANT.matcher(text).results().forEach(c -> constants.put(c.group(1), c.group(2)));
      READ.matcher(text).results().forEach(reads::add);
    }
    int checked = 0;
    for (MatchResult read : reads) {
      String argument = read.group(2);
      String name =
          argument.startsWith("\"")
              ? argument.substring(1, argument.length() - 1)
              : constants.getOrDefault(argument, argument);
      if (!NAMES_OF_VOLUMES.contains(read.group(1))) {
        List<RetainedFields> candidates =
            NAMES_OF_CLAIMS.contains(read.group(1)) ? List.of(RetainedFields.OF_CLAIM) : retained;
        assertThat(candidates).as(read.group()).anyMatch(k -> k.annotations().test(name));
        checked++;
      }
    }
    assertThat(checked).as("places where annotations are read").isGreaterThan(10);
  }

  private static List<Path> sources() throws IOException {
    Path root = Path.of("").toAbsolutePath().getParent();
    List<Path> found = new ArrayList<>();
    for (String module :
        List.of(
            "binder",
            "attachdetach",
            "expander",
            "protection",
            "provisioner",
            "csi",
            "snapshots",
            "core-api")) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
      }
    }
    return found;
  }
}
