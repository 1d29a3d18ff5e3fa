package dev.mooring.selinux.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.Container;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UseDeciderTest {
  private static final SeLinuxOptions C1 = level("s0:c1,c2");
  private static final SeLinuxOptions C9 = level("s0:c98,c99");
  private static final SeLinuxOptions EMPTY = level("");
  private static final String C1_LABEL = ":::s0:c1,c2";
  private static final VolumeKey KEY = new VolumeKey("kubernetes.io/csi", "d^h");
  private static final VolumeFact SUPPORTED = new VolumeFact.Known(KEY, "d", true);
  private static final VolumeFact WITHOUT_LABEL_SUPPORT = new VolumeFact.Known(KEY, "d", false);
  private static final LabelUse RECURSIVE = new LabelUse(MountLabel.NONE, "Recursive");

  private static SeLinuxOptions level(String level) {
    return new SeLinuxOptions("", "", "", level);
  }

  private static PodMounts pod(
      Pod.Phase phase, String policy, @Nullable SeLinuxOptions label, Container... containers) {
    Meta meta = TestObjects.metaOf(ObjectKey.of("ns", "p")).uid("u").meta();
    return TestObjects.podMounts(meta)
        .phase(phase)
        .changePolicy(policy)
        .label(label)
        .containers(List.of(containers))
        .build();
  }

  private static Container container(@Nullable SeLinuxOptions label) {
    return new Container(label, List.of("v"));
  }

  private static PodMounts pod(
      String policy, @Nullable SeLinuxOptions label, Container... containers) {
    return pod(Pod.Phase.RUNNING, policy, label, containers);
  }

  private static LabelUse mountOption(String label) {
    return new LabelUse(new MountLabel(label), "MountOption");
  }

  static Stream<Arguments> uses() {
    return Stream.of(
        arguments(
            "U1 - the pod's options set the label",
            pod("", C1, container(null)),
            SUPPORTED,
            mountOption(C1_LABEL)),
        arguments(
            "U2 - a container's options replace the pod's",
            pod("", C1, container(C9)),
            SUPPORTED,
            mountOption(":::s0:c98,c99")),
        arguments(
            "U3 - a container's options replace every part of the pod's",
            pod("", new SeLinuxOptions("u", "r", "t", "l"), container(level("x"))),
            SUPPORTED,
            mountOption(":::x")),
        arguments(
            "U4 - all four parts form the label",
            pod("", new SeLinuxOptions("u", "r", "t", "l"), container(null)),
            SUPPORTED,
            mountOption("u:r:t:l")),
        arguments(
            "U5 - MountOption set explicitly equals the default",
            pod("MountOption", C1, container(null)),
            SUPPORTED,
            mountOption(C1_LABEL)),
        arguments(
            "U6 - policy Recursive mounts without a label",
            pod("Recursive", C1, container(null)),
            SUPPORTED,
            RECURSIVE),
        arguments(
            "U7 - a driver without seLinuxMount mounts without a label",
            pod("", C1, container(null)),
            WITHOUT_LABEL_SUPPORT,
            RECURSIVE),
        arguments(
            "U8 - MountOption does not override a driver without seLinuxMount",
            pod("MountOption", C1, container(null)),
            WITHOUT_LABEL_SUPPORT,
            RECURSIVE),
        arguments(
            "U9 - a pod without options has no label",
            pod("MountOption", null, container(null)),
            SUPPORTED,
            RECURSIVE),
        arguments(
            "U10 - empty options are no label",
            pod("", EMPTY, container(null)),
            SUPPORTED,
            RECURSIVE),
        arguments(
            "U11 - an unknown policy is passed through",
            pod("Lazy", C1, container(null)),
            SUPPORTED,
            new LabelUse(new MountLabel(C1_LABEL), "Lazy")),
        arguments(
            "U12 - containers with equal options share one label",
            pod("", null, container(C1), container(C1)),
            SUPPORTED,
            mountOption(C1_LABEL)),
        arguments(
            "U13 - a container without options adds no label",
            pod("", null, container(C1), container(null)),
            SUPPORTED,
            mountOption(C1_LABEL)),
        arguments(
            "U14 - a Pending pod counts",
            pod(Pod.Phase.PENDING, "", C1, container(null)),
            SUPPORTED,
            mountOption(C1_LABEL)),
        arguments(
            "U15 - a pod without a phase counts",
            pod(Pod.Phase.UNSET, "", C1, container(null)),
            SUPPORTED,
            mountOption(C1_LABEL)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uses")
  void decide_mountedVolume_returnsLabelAndPolicy(
      String row, PodMounts pod, VolumeFact fact, LabelUse expected) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact)))
        .isEqualTo(
            new PodLabels(List.of(new PodLabels.LabeledVolume(KEY, "d", expected)), List.of()));
  }

  static Stream<Arguments> ignoredVolumes() {
    return Stream.of(
        arguments("N1 - no container mounts the volume", pod("", C1), SUPPORTED),
        arguments(
            "N2 - the pod has succeeded",
            pod(Pod.Phase.SUCCEEDED, "", C1, container(null)),
            SUPPORTED),
        arguments(
            "N3 - the pod has failed", pod(Pod.Phase.FAILED, "", C1, container(null)), SUPPORTED),
        arguments(
            "N4 - the claim is not bound", pod("", C1, container(null)), new VolumeFact.Unbound()),
        arguments(
            "N5 - the volume type supports no labels",
            pod("", C1, container(null)),
            new VolumeFact.Unsupported()),
        arguments(
            "N6 - several labels, but the claim is not bound",
            pod("", null, container(C1), container(C9)),
            new VolumeFact.Unbound()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ignoredVolumes")
  void decide_ignoredVolume_returnsNoLabels(String row, PodMounts pod, VolumeFact fact) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact))).isEqualTo(PodLabels.NONE);
  }

  static Stream<Arguments> mixedLabels() {
    PodMounts two = pod("", null, container(C1), container(C9));
    return Stream.of(
        arguments("M1 - two containers have different labels", two, SUPPORTED),
        arguments("M2 - the driver supports no labels", two, WITHOUT_LABEL_SUPPORT),
        arguments("M3 - the volume type supports no labels", two, new VolumeFact.Unsupported()),
        arguments(
            "M4 - one container sets empty options",
            pod("", null, container(C1), container(EMPTY)),
            SUPPORTED),
        arguments(
            "M5 - a container differs from the pod",
            pod("", C1, container(null), container(C9)),
            SUPPORTED),
        arguments(
            "M6 - the policy is Recursive",
            pod("Recursive", null, container(C1), container(C9)),
            SUPPORTED));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mixedLabels")
  void decide_differentLabelsInPod_returnsMixedVolume(String row, PodMounts pod, VolumeFact fact) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact)))
        .isEqualTo(new PodLabels(List.of(), List.of("v")));
  }

  private static PodMounts podWithVolumes(
      @Nullable SeLinuxOptions label, @Nullable SeLinuxOptions otherLabel) {
    return pod(
        "", null, new Container(label, List.of("v")), new Container(otherLabel, List.of("w")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void decide_differentLabelsOfOneClaim_returnsBothMixedVolumes(boolean supportsLabel) {
    VolumeFact fact = new VolumeFact.Known(KEY, "d", supportsLabel);
    assertThat(UseDecider.decide(podWithVolumes(C1, C9), Map.of("v", fact, "w", fact)))
        .isEqualTo(new PodLabels(List.of(), List.of("v", "w")));
  }

  static Stream<Arguments> equalLabels() {
    return Stream.of(arguments(C1, C1), arguments(C1, null), arguments(null, C1));
  }

  @ParameterizedTest
  @MethodSource("equalLabels")
  void decide_oneLabelOfOneClaim_returnsOneVolume(
      @Nullable SeLinuxOptions label, @Nullable SeLinuxOptions otherLabel) {
    assertThat(
            UseDecider.decide(
                podWithVolumes(label, otherLabel), Map.of("v", SUPPORTED, "w", SUPPORTED)))
        .isEqualTo(
            new PodLabels(
                List.of(new PodLabels.LabeledVolume(KEY, "d", mountOption(C1_LABEL))), List.of()));
  }

  @Test
  void decide_unknownVolume_returnsNoLabels() {
    assertThat(UseDecider.decide(pod("", C1, container(null)), Map.of())).isEqualTo(PodLabels.NONE);
  }
}
