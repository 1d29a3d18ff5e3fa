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

class UseDeciderTest {
  private static final SeLinuxOptions C1 = level("s0:c1,c2");
  private static final SeLinuxOptions C9 = level("s0:c98,c99");
  private static final SeLinuxOptions EMPTY = level("");
  private static final String C1_LABEL = ":::s0:c1,c2";
  private static final VolumeKey KEY = new VolumeKey("kubernetes.io/csi", "d^h");
  private static final VolumeFact TAKES = new VolumeFact.Known(KEY, "d", true);
  private static final VolumeFact TAKES_NONE = new VolumeFact.Known(KEY, "d", false);
  private static final LabelUse RELABELLED = new LabelUse(MountLabel.NONE, "Recursive");

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

  private static Container mounting(@Nullable SeLinuxOptions label) {
    return new Container(label, List.of("v"));
  }

  private static PodMounts pod(String policy, @Nullable SeLinuxOptions label, Container... more) {
    return pod(Pod.Phase.RUNNING, policy, label, more);
  }

  private static LabelUse mounted(String label) {
    return new LabelUse(new MountLabel(label), "MountOption");
  }

  static Stream<Arguments> uses() {
    return Stream.of(
        arguments(
            "U1 - the pod's options set the label",
            pod("", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "U2 - a container's options replace the pod's",
            pod("", C1, mounting(C9)),
            TAKES,
            mounted(":::s0:c98,c99")),
        arguments(
            "U3 - a container's options replace every part of the pod's",
            pod("", new SeLinuxOptions("u", "r", "t", "l"), mounting(level("x"))),
            TAKES,
            mounted(":::x")),
        arguments(
            "U4 - all four parts form the label",
            pod("", new SeLinuxOptions("u", "r", "t", "l"), mounting(null)),
            TAKES,
            mounted("u:r:t:l")),
        arguments(
            "U5 - MountOption set explicitly equals the default",
            pod("MountOption", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "U6 - policy Recursive mounts without a label",
            pod("Recursive", C1, mounting(null)),
            TAKES,
            RELABELLED),
        arguments(
            "U7 - a driver without seLinuxMount mounts without a label",
            pod("", C1, mounting(null)),
            TAKES_NONE,
            RELABELLED),
        arguments(
            "U8 - MountOption does not override a driver without seLinuxMount",
            pod("MountOption", C1, mounting(null)),
            TAKES_NONE,
            RELABELLED),
        arguments(
            "U9 - a pod without options has no label",
            pod("MountOption", null, mounting(null)),
            TAKES,
            RELABELLED),
        arguments(
            "U10 - empty options are no label", pod("", EMPTY, mounting(null)), TAKES, RELABELLED),
        arguments(
            "U11 - an unknown policy is passed through",
            pod("Lazy", C1, mounting(null)),
            TAKES,
            new LabelUse(new MountLabel(C1_LABEL), "Lazy")),
        arguments(
            "U12 - containers with equal options share one label",
            pod("", null, mounting(C1), mounting(C1)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "U13 - a container without options adds no label",
            pod("", null, mounting(C1), mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "U14 - a Pending pod counts",
            pod(Pod.Phase.PENDING, "", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "U15 - a pod without a phase counts",
            pod(Pod.Phase.UNSET, "", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uses")
  void decide_mountedVolume_returnsLabelAndPolicy(
      String row, PodMounts pod, VolumeFact fact, LabelUse expected) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact)))
        .isEqualTo(new PodLabels(List.of(new PodLabels.Volume(KEY, "d", expected)), List.of()));
  }

  static Stream<Arguments> nothing() {
    return Stream.of(
        arguments("N1 - no container mounts the volume", pod("", C1), TAKES),
        arguments(
            "N2 - the pod has succeeded", pod(Pod.Phase.SUCCEEDED, "", C1, mounting(null)), TAKES),
        arguments("N3 - the pod has failed", pod(Pod.Phase.FAILED, "", C1, mounting(null)), TAKES),
        arguments(
            "N4 - the claim is not bound", pod("", C1, mounting(null)), new VolumeFact.Waits()),
        arguments(
            "N5 - the volume type supports no labels",
            pod("", C1, mounting(null)),
            new VolumeFact.Plain()),
        arguments(
            "N6 - several labels, but the claim is not bound",
            pod("", null, mounting(C1), mounting(C9)),
            new VolumeFact.Waits()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("nothing")
  void decide_irrelevantVolume_returnsNothing(String row, PodMounts pod, VolumeFact fact) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact))).isEqualTo(PodLabels.NONE);
  }

  static Stream<Arguments> mixed() {
    PodMounts two = pod("", null, mounting(C1), mounting(C9));
    return Stream.of(
        arguments("M1 - two containers have different labels", two, TAKES),
        arguments("M2 - the driver supports no labels", two, TAKES_NONE),
        arguments("M3 - the volume type supports no labels", two, new VolumeFact.Plain()),
        arguments(
            "M4 - one container sets empty options",
            pod("", null, mounting(C1), mounting(EMPTY)),
            TAKES),
        arguments(
            "M5 - a container differs from the pod",
            pod("", C1, mounting(null), mounting(C9)),
            TAKES),
        arguments(
            "M6 - the policy is Recursive",
            pod("Recursive", null, mounting(C1), mounting(C9)),
            TAKES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mixed")
  void decide_differentLabelsInPod_reportsVolume(String row, PodMounts pod, VolumeFact fact) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact)))
        .isEqualTo(new PodLabels(List.of(), List.of("v")));
  }

  @Test
  void decide_mountOfUnknownVolume_isIgnored() {
    assertThat(UseDecider.decide(pod("", C1, mounting(null)), Map.of())).isEqualTo(PodLabels.NONE);
  }
}
