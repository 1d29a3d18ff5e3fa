package dev.mooring.manager.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControllersFlagTest {
  private static final Set<String> NAMES =
      Set.of("persistentvolume-binder-controller", "persistentvolume-binder");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kube-controller-manager | true",
        "kube-controller-manager --leader-elect=true --controllers=*,bootstrapsigner | true",
        "kube-controller-manager --controllers=*,-persistentvolume-binder-controller | false",
        "kube-controller-manager --controllers=*,-persistentvolume-binder | false",
        "kube-controller-manager --controllers *,-persistentvolume-binder | false",
        "kube-controller-manager --controllers=* --controllers=-persistentvolume-binder | false",
        "kube-controller-manager --controllers=-persistentvolume-binder,* | false",
        "kube-controller-manager --controllers=namespace-controller | false",
        "kube-controller-manager --controllers=persistentvolume-binder-controller | true",
        "kube-controller-manager --controllers=persistentvolume-binder,-persistentvolume-binder | true",
      })
  void isOn_commandLine_followsRulesOfKubernetes(String commandLine, boolean isOn) {
    assertThat(ControllersFlag.in(List.of(commandLine.split(" "))).isOn(NAMES::contains))
        .isEqualTo(isOn);
  }
}
