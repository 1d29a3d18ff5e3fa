package dev.mooring.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.decide.Condemnation;
import java.io.IOException;
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

  @Test
  void claim_ownKeys_areRetained() {
    assertThat(RetainedFields.OF_CLAIM.labels()).accepts("mooring.dev/tier").rejects("tier");
    assertThat(RetainedFields.OF_CLAIM.annotations()).accepts("mooring.dev/tier").rejects("tier");
  }

  @Test
  void snapshotContent_manifestOfDeletedSnapshot_isDropped() {
    assertThat(RetainedFields.OF_SNAPSHOT_CONTENT.annotations())
        .accepts(Condemnation.UNTIL)
        .rejects(Condemnation.SNAPSHOT_MANIFEST);
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
