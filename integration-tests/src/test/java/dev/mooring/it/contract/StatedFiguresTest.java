package dev.mooring.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the compatibility figures stated in the documents match the test data. */
class StatedFiguresTest {
  private static String readPage(String name) throws IOException {
    return Files.readString(Path.of("..").resolve(name)).replaceAll("\\s+", " ");
  }

  /** {@code ContractTest} checks that every other case matches. */
  @Test
  void contractCases_statedFigure_isAccurate() throws IOException {
    int caseCount = RecordedCases.cases().size();
    int matchingCount = caseCount - RecordedCases.exceptions().size();
    assertThat(readPage("README.md"))
        .contains(matchingCount + " of " + caseCount + " recorded cases");
    assertThat(readPage("docs/testing-controllers.md"))
        .contains(matchingCount + " of " + caseCount + " recorded cases");
    assertThat(readPage("docs/dev/invariants.md")).contains(caseCount + " recorded cases");
    assertThat(readPage("docs/dev/embedded-api-server.md"))
        .contains(caseCount + " cases (`ContractTest`)");
  }

  @Test
  void scenarios_statedFigure_isAccurate() throws IOException {
    assertThat(readPage("README.md")).contains(Scenarios.count() + " recorded scenarios");
  }
}
