package dev.mooring.manager.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.doctor.BinderCheck.Binds;
import dev.mooring.manager.doctor.BinderCheck.Leader;
import dev.mooring.manager.doctor.CheckFinding.Outcome;
import dev.mooring.manager.peer.ControllersFlag;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinderCheckTest {
  /** kubernetes: - for inactive, ? for unknown flags, else the flag. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*                         |        | OK",
        "*                         | NO     | OK",
        "*,-persistentvolume-binder| YES    | OK",
        "-                         | YES    | OK",
        "?                         | NO     | OK",
        "*                         | YES    | FAIL",
        "-                         | YES YES| FAIL",
        "?                         | YES    | WARN",
        "*                         | UNKNOWN| WARN",
        "-                         |        | WARN",
        "*,-persistentvolume-binder| NO     | WARN",
      })
  void result_binders_followsTable(String kubernetes, String replicas, Outcome expected) {
    List<Leader> leaders =
        replicas == null
            ? List.of()
            : Arrays.stream(replicas.split(" +"))
                .map(binds -> new Leader("kube-system/mooring", "m-0_x", Binds.valueOf(binds)))
                .toList();
    CheckFinding result =
        new BinderCheck(
                kubernetes.equals("-") ? Optional.empty() : Optional.of("cp-1_x"),
                kubernetes.equals("?")
                    ? List.of()
                    : List.of(new ControllersFlag(List.of(kubernetes.split(",")))),
                leaders)
            .result();
    assertThat(result.outcome()).as(result.toString()).isEqualTo(expected);
    assertThat(result.remedy().isEmpty()).isEqualTo(expected == Outcome.OK);
  }
}
