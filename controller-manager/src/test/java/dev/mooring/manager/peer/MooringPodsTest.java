package dev.mooring.manager.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MooringPodsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run                                                       | false",
        "run --mode=beside                                         | false",
        "run --mode=replace                                        | true",
        "run --mode replace --controllers=*                        | true",
        "run --mode=replace --controllers=csi-bridge               | false",
        "run --mode=replace --controllers=*,-persistentvolume-binder-controller | false",
        "run --controllers=*,persistentvolume-binder-controller    | true",
      })
  void isBinder_commandLine_followsModeAndControllers(String words, boolean isBinder) {
    assertThat(MooringPods.isBinder(List.of(words.split(" +")))).isEqualTo(isBinder);
  }
}
