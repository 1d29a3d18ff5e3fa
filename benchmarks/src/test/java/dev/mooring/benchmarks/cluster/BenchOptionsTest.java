package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOptionsTest {
  @Test
  void of_noOptions_selectsAllWorks() {
    BenchOptions options = BenchOptions.of(List.of("--cluster"));

    assertThat(options.cluster()).isEqualTo(BenchOptions.EMBEDDED);
    assertThat(options.works().stream().map(ClusterWork::option))
        .containsExactly(
            "bind", "bind-distinct", "provision", "attach", "delete", "expand", "mixed");
    assertThat(options.starts()).containsExactly(StartMode.COLD, StartMode.WARM);
    assertThat(options.rounds()).isGreaterThanOrEqualTo(5);
  }

  @Test
  void of_worksAndStarts_selectsThem() {
    BenchOptions options =
        BenchOptions.of(List.of("--cluster", "file", "--works", "delete,bind", "--starts", "warm"));

    assertThat(options.cluster()).isEqualTo("file");
    assertThat(options.works().stream().map(ClusterWork::option)).containsExactly("delete", "bind");
    assertThat(options.starts()).containsExactly(StartMode.WARM);
  }

  @ParameterizedTest
  @CsvSource({
    "--works, sing, 'unknown value of --works ''sing''; choices: bind, bind-distinct, provision, attach, delete, expand, mixed'",
    "--starts, hot, 'unknown value of --starts ''hot''; choices: cold, warm, takeover, expiry'",
    "--peer, 'kcm {kubeconfig}', 'add {election}, or omit takeover'",
    "--count, 0, 'must be a number from 1 to 100000, was ''0'''",
    "--peer, kcm, 'add {kubeconfig}'",
    "--round, 5, 'unknown option of --cluster ''--round'''"
  })
  void of_invalidOption_throwsWithReason(String option, String value, String message) {
    List<String> args = List.of("--cluster", "--starts", "takeover", option, value);

    assertThatThrownBy(() -> BenchOptions.of(args))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
