package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.kube.LeaderElection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LeaseLabelTest {
  @Command
  private static final class Flags {
    @Mixin private final ElectionOptions election = new ElectionOptions();
  }

  private static LeaderElection.Config config(String labels) throws UsageException {
    Flags command = new Flags();
    FlagTypes.commandLine(command).parseArgs("--leader-election-labels=" + labels);
    return command.election.config().orElseThrow();
  }

  /** The example of the sidecars' help. */
  @Test
  void labels_listOfSidecars_isParsed() throws UsageException {
    assertThat(config("my-label:my-value,example.com/second:,my-label:last").labels())
        .isEqualTo(Map.of("my-label", "last", "example.com/second", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"team", "team=storage", "a:b:c", ":x", "team:-x", "UPPER.example/x:y"})
  void labels_invalidLabel_isRejected(String label) {
    assertThatThrownBy(() -> config(label)).hasMessageContaining("is not a label");
  }
}
