package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that {@code docs/troubleshoot.md} names only reasons and events that exist. */
class TroubleshootPageTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern CODE = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`");

  @Test
  void page_quotedCodes_areDocumentedReasons() throws IOException {
    String reasons = Files.readString(DOCS.resolve("reasons.md"));
    List<String> quotedCodes =
        CODE.matcher(Files.readString(DOCS.resolve("troubleshoot.md")))
            .results()
            .map(code -> code.group(1))
            .toList();

    assertThat(quotedCodes)
        .hasSizeGreaterThan(20)
        .allSatisfy(code -> assertThat(reasons).contains(code));
  }
}
