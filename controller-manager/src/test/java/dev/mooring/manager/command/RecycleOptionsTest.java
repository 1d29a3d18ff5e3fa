package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecycleOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--pv-recycler-minimum-timeout-hostpath=0",
        "--pv-recycler-timeout-increment-hostpath=-1",
        "--pv-recycler-minimum-timeout-nfs=-5",
        "--pv-recycler-increment-timeout-nfs=9999999999"
      })
  void config_secondsOutOfRange_areRejected(String flag) {
    assertThatThrownBy(() -> RunFlags.config(List.of(flag)))
        .isInstanceOf(InvalidFlagException.class)
        .hasMessageStartingWith(flag.replace('=', ' ') + ": specify ");
  }
}
