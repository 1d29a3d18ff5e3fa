package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Compares the second part of {@code docs/reasons.md} with the reasons of the explainers.
 * -Dmooring.write=docs updates it. {@code ReasonTest} owns the first part.
 */
class ReasonsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reasons.md");
  private static final String GENERATED_PART = "\n## Reasons that only `explain` shows\n";

  private static List<Cause> catalogue() {
    GivenClusterView empty =
        new GivenClusterView()
            .with(
                Informer.of(
                    Kind.POD,
                    List.of(IndexSet.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE),
                    List.of()));
    return new ClusterExplainers(empty, Compat.MOORING, new SystemTime())
        .catalogue()
        .distinct()
        .toList();
  }

  private static String generatePart(String firstPart) {
    StringBuilder page =
        new StringBuilder(
            """

            ## Reasons that only `explain` shows

            `mooring explain` shows the codes above too. This part is generated from its explainers; do not edit it.

            | Code | Meaning | Remedy |
            |---|---|---|
            """);
    catalogue().stream()
        .filter(cause -> !firstPart.contains("\n| " + cause.code() + " |"))
        .forEach(cause ->
            page.append(
                "| %s | %s | %s |\n".formatted(cause.code(), cause.meaning(), cause.remedy())));
    page.append(
        """

        ## Order of reasons

        If an object waits for several reasons, `explain` shows the first of this table first.

        | Rank | Codes |
        |---|---|
        """);
    for (CauseRank rank : CauseRank.values()) {
      page.append(
          "| %s | %s |\n"
              .formatted(
                  rank.token(),
                  catalogue().stream()
                      .filter(cause -> cause.rank() == rank)
                      .map(Cause::code)
                      .sorted()
                      .collect(Collectors.joining(", "))));
    }
    return page.toString();
  }

  @Test
  void page_generatedPart_equalsReasonsOfExplainers() throws IOException {
    String page = Files.readString(PAGE);
    int generatedStart =
        page.contains(GENERATED_PART) ? page.indexOf(GENERATED_PART) : page.length();
    String firstPart = page.substring(0, generatedStart);
    if (System.getProperty("mooring.write", "").equals("docs")) {
      Files.writeString(PAGE, firstPart + generatePart(firstPart));
    }
    assertThat(page.substring(generatedStart)).isEqualTo(generatePart(firstPart));
  }

  @Test
  void catalogue_everyCause_hasUniqueCodeAndRemedyIfItWaits() {
    assertThat(catalogue().stream().map(Cause::code)).doesNotHaveDuplicates();
    assertThat(catalogue())
        .allSatisfy(cause -> {
          assertThat(cause.code()).matches("([A-Z][a-z0-9]+)+");
          assertThat(cause.meaning()).isNotEmpty();
          if (cause.rank() != CauseRank.WORKING && cause.rank() != CauseRank.FINE) {
            assertThat(cause.remedy()).as(cause.code()).isNotEmpty();
          }
        });
  }
}
