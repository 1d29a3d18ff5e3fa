package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOptionsTest {
  @Test
  void everythingIsMeasuredUnlessSomethingIsNamed() {
    BenchOptions options = BenchOptions.of(List.of("--cluster"));

    assertThat(options.cluster()).isEqualTo(BenchOptions.EMBEDDED);
    assertThat(options.works().stream().map(Work::option))
        .containsExactly(
            "bind", "bind-distinct", "provision", "attach", "delete", "expand", "mixed");
    assertThat(options.starts()).containsExactly(Start.COLD, Start.WARM);
    assertThat(options.rounds()).isGreaterThanOrEqualTo(5);
  }

  @Test
  void whatIsNamedIsTaken() {
    BenchOptions options =
        BenchOptions.of(List.of("--cluster", "file", "--works", "delete,bind", "--starts", "warm"));

    assertThat(options.cluster()).isEqualTo("file");
    assertThat(options.works().stream().map(Work::option)).containsExactly("delete", "bind");
    assertThat(options.starts()).containsExactly(Start.WARM);
  }

  @ParameterizedTest
  @CsvSource({
    "--works, sing, 'knows no ''sing'': there are bind, bind-distinct, provision, attach, delete, expand, mixed'",
    "--starts, hot, 'knows no ''hot'': there are cold, warm'",
    "--count, 0, 'is a number from 1 to 100000, was ''0'''",
    "--peer, kcm, 'write {kubeconfig}'",
    "--round, 5, 'has no option ''--round'''"
  })
  void whatIsWrongIsNamed(String option, String value, String said) {
    List<String> args = List.of("--cluster", option, value);

    assertThatThrownBy(() -> BenchOptions.of(args))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(said);
  }
}
