package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Compares the first part of {@code docs/reasons.md} with the reasons; -Dmooring.write=docs writes
 * it. {@code ReasonsPageTest} covers the rest.
 */
class ReasonTest {
  private static final Path PAGE = Path.of("..", "docs", "reasons.md");
  private static final String REST = "\n## Reasons that only `explain` shows\n";

  private static String createPage() {
    StringBuilder page =
        new StringBuilder(
            """
            # Reasons

            This page explains each code that events show in brackets, with its remedy. It is generated from `Reason` in `binder`; do not edit it.

            | Code | Event | Type | Meaning | Remedy |
            |---|---|---|---|---|
            """);
    Arrays.stream(Reason.values())
        .filter(Reason::hasEvent)
        .forEach(reason ->
            page.append(
                "| %s | %s | %s | %s | %s |\n"
                    .formatted(
                        reason.code(),
                        reason.event(),
                        reason.isWarning() ? "Warning" : "Normal",
                        reason.meaning(),
                        reason.remedy())));
    return page.toString();
  }

  @Test
  void page_reasons_equalsCatalogue() throws IOException {
    String page = Files.readString(PAGE);
    int remaining = page.indexOf(REST);
    assertThat(remaining).as("the part of explain follows").isPositive();
    if (System.getProperty("mooring.write", "").equals("docs")) {
      Files.writeString(PAGE, createPage() + page.substring(remaining));
    }
    assertThat(page.substring(0, remaining)).isEqualTo(createPage());
  }

  @Test
  void wording_everyReason_hasMeaningAndRemedy() {
    for (Reason reason : Reason.values()) {
      if (reason.hasEvent()) {
        assertThat(reason.meaning()).as("%s", reason).isNotEmpty();
        assertThat(reason.remedy()).as("%s", reason).isNotEmpty();
      }
    }
    assertThat(Reason.VOLUME_MISSING.code()).isEqualTo("VolumeMissing");
  }
}
