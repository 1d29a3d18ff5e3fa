package dev.mooring.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the compatibility figures stated in the documents match the test data. */
class StatedFiguresTest {
  private static String page(String name) throws IOException {
    return Files.readString(Path.of("..").resolve(name)).replaceAll("\\s+", " ");
  }

  /** ContractTest requires every case that is no exception to match. */
  @Test
  void contractCases_statedFigure_isAccurate() throws IOException {
    int all = RecordedCases.cases().size();
    int same = all - RecordedCases.exceptions().size();
    assertThat(page("README.md")).contains(same + " of " + all + " recorded cases");
    assertThat(page("docs/dev/invariants.md")).contains(all + " recorded cases");
    assertThat(page("apiserver-embedded/README.md")).contains(all + " cases (`ContractTest`)");
  }

  @Test
  void scenarios() throws IOException {
    assertThat(page("README.md")).contains(Scenarios.count() + " recorded scenarios");
  }
}
