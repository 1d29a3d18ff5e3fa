package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.manager.lifecycle.ManagerConfig.Features;
import dev.mooring.manager.lifecycle.ManagerConfig.GroupSupport;
import dev.mooring.protection.UnusedCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class FeatureGatesTest {
  @Command
  private static final class Flags {
    @Mixin private final FeatureGates gates = new FeatureGates();
  }

  /** Collects messages as "LEVEL message". */
  private static final class Messages implements System.Logger {
    private final List<String> lines = new ArrayList<>();

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      lines.add(level + " " + message);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
      lines.add(level + " " + format);
    }
  }

  private static FeatureGates parsed(String... flags) {
    Flags command = new Flags();
    FlagTypes.commandLine(command).parseArgs(flags);
    return command.gates;
  }

  @ParameterizedTest(name = "{0} with {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                                     | NONE     | OFF | false | BY_DEFAULT | false
          ''                                                                     | KCM      | OFF | false | BY_DEFAULT | false
          ''                                                                     | KCM_1_36 | OFF | false | BY_DEFAULT | false
          ''                                                                     | KCM_1_37 | BOUND_CLAIMS | false | BY_DEFAULT | false
          PersistentVolumeClaimUnusedSinceTime=true                              | KCM      | ALL_CLAIMS | false | BY_DEFAULT | false
          PersistentVolumeClaimUnusedSinceTime=false                             | KCM_1_37 | OFF | false | BY_DEFAULT | false
          PersistentVolumeClaimUnusedSinceTime=true                              | NONE     | BOUND_CLAIMS | false | BY_DEFAULT | false
          CrossNamespaceVolumeDataSource=T,CSIVolumeGroupSnapshot=1              | NONE     | OFF | true  | REQUESTED | false
          AllAlpha=true                                                          | NONE     | BOUND_CLAIMS | true  | BY_DEFAULT | true
          CrossNamespaceVolumeDataSource=false,AllAlpha=true                     | NONE     | BOUND_CLAIMS | false | BY_DEFAULT | true
          ' CSIVolumeGroupSnapshot = true '                                      | NONE     | OFF | false | REQUESTED | false
          CSIVolumeGroupSnapshot=false                                           | NONE     | OFF | false | OFF | false
          VolumeSnapshotTopology=true                                            | NONE     | OFF | false | BY_DEFAULT | true
          VolumeAttributesClass=true,HonorPVReclaimPolicy=true,Topology=false    | NONE     | OFF | false | BY_DEFAULT | false
          """)
  void features_gatesAndRelease_determineFeatures(
      String gates,
      CompatFlag compat,
      UnusedCondition unused,
      boolean namespaces,
      GroupSupport groups,
      boolean snapshotTopology)
      throws Exception {
    FeatureGates parsed = gates.isEmpty() ? parsed() : parsed("--feature-gates=" + gates);
    assertThat(parsed.features(compat))
        .isEqualTo(new Features(unused, namespaces, groups, snapshotTopology));
  }

  @Test
  void features_misspeltGate_isRejectedWithNearestName() {
    assertThatThrownBy(
            () -> parsed("--feature-gates=CSIVolumeGroupSnapshots=true").features(CompatFlag.NONE))
        .isInstanceOf(InvalidFlagException.class)
        .hasMessage(
            "--feature-gates: unknown gate \"CSIVolumeGroupSnapshots\": did you mean \"CSIVolumeGroupSnapshot\"?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"VolumeAttributesClass", "CSIVolumeGroupSnapshot", "GateOfKubernetes199"})
  void features_valueIsNotBoolean_isRejected(String gate) {
    assertThatThrownBy(() -> parsed("--feature-gates=" + gate + "=yes").features(CompatFlag.NONE))
        .isInstanceOf(InvalidFlagException.class)
        .hasMessage("--feature-gates %s must be true or false, was \"yes\"".formatted(gate));
  }

  @Test
  void logUnsupported_gatesOfKubernetesAndOthers_areReportedOnceEach() throws Exception {
    FeatureGates gates =
        parsed(
            "--feature-gates=GateOfKubernetes199=true,WatchList=true,CSIVolumeGroupSnapshot=true",
            "--feature-gates=ImageVolume=false");
    gates.features(CompatFlag.NONE);
    Messages messages = new Messages();
    gates.logUnsupported(messages);
    assertThat(messages.lines)
        .containsExactly(
            "INFO --feature-gates: no effect in Mooring: ImageVolume, WatchList",
            "WARNING --feature-gates: ignoring gates that Kubernetes 1.31 to 1.37 does not have: GateOfKubernetes199");
  }

  @Test
  void logUnsupported_supportedGatesOnly_logsNothing() {
    Messages messages = new Messages();
    parsed("--feature-gates=AllAlpha=true,CSIVolumeGroupSnapshot=true").logUnsupported(messages);
    assertThat(messages.lines).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"none,NONE", "kcm,KCM", "kcm-1.36,KCM_1_36", "kcm-1.37,KCM_1_37"})
  void compat_value_isParsed(String value, CompatFlag expected) {
    assertThat(CompatFlag.parse(value)).isEqualTo(expected);
  }

  @Test
  void compat_unknownRelease_isRejectedWithValues() {
    assertThatThrownBy(() -> CompatFlag.parse("kcm-1.30"))
        .hasMessage("expected one of none, kcm, kcm-1.36, kcm-1.37 but was 'kcm-1.30'");
  }
}
