package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElectionOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--leader-elect-resource-name=",
        "--leader-elect-resource-name=a b",
        "--leader-elect-resource-name=Mooring",
        "--leader-elect-resource-namespace=",
        "--leader-elect-resource-namespace=a.b"
      })
  void config_invalidName_isRejected(String flag) {
    String[] parts = flag.split("=", 2);
    assertThatThrownBy(() -> RunFlags.config(List.of(flag)))
        .isInstanceOf(InvalidFlagException.class)
        .hasMessageStartingWith(
            "%s \"%s\" is not a valid name: specify".formatted(parts[0], parts[1]));
  }

  @Test
  void config_nameWithDots_isAccepted() throws Exception {
    assertThat(RunFlags.config(List.of("--leader-elect-resource-name=a.example.com")).election())
        .isPresent();
  }
}
