package dev.mooring.selinux.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.Container;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which label a volume is mounted with: what the pod says, and what the volume takes. */
class UseDeciderTest {
  private static final SeLinuxOptions C1 = level("s0:c1,c2");
  private static final SeLinuxOptions C9 = level("s0:c98,c99");
  private static final SeLinuxOptions EMPTY = level("");
  private static final String C1_LABEL = ":::s0:c1,c2";
  private static final VolumeKey KEY = new VolumeKey("kubernetes.io/csi", "d^h");
  private static final VolumeFact TAKES = new VolumeFact.Known(KEY, "d", true);
  private static final VolumeFact TAKES_NONE = new VolumeFact.Known(KEY, "d", false);
  private static final LabelUse FILE_BY_FILE = new LabelUse(MountLabel.NONE, "Recursive");

  private static SeLinuxOptions level(String level) {
    return new SeLinuxOptions("", "", "", level);
  }

  private static PodMounts pod(
      Pod.Phase phase, String policy, @Nullable SeLinuxOptions label, Container... containers) {
    Meta meta = Builders.metaOf(ObjectKey.of("ns", "p")).uid("u").meta();
    return Builders.podMounts(meta)
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
        arguments("the pod's label", pod("", C1, mounting(null)), TAKES, mounted(C1_LABEL)),
        arguments(
            "a container's own options replace the pod's",
            pod("", C1, mounting(C9)),
            TAKES,
            mounted(":::s0:c98,c99")),
        arguments(
            "all of them",
            pod("", new SeLinuxOptions("u", "r", "t", "l"), mounting(level("x"))),
            TAKES,
            mounted(":::x")),
        arguments(
            "all parts",
            pod("", new SeLinuxOptions("u", "r", "t", "l"), mounting(null)),
            TAKES,
            mounted("u:r:t:l")),
        arguments(
            "MountOption is the default and may be said",
            pod("MountOption", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments("Recursive", pod("Recursive", C1, mounting(null)), TAKES, FILE_BY_FILE),
        arguments(
            "a driver that takes no labels", pod("", C1, mounting(null)), TAKES_NONE, FILE_BY_FILE),
        arguments(
            "whatever the pod says",
            pod("MountOption", C1, mounting(null)),
            TAKES_NONE,
            FILE_BY_FILE),
        arguments("no label", pod("MountOption", null, mounting(null)), TAKES, FILE_BY_FILE),
        arguments("options that say nothing", pod("", EMPTY, mounting(null)), TAKES, FILE_BY_FILE),
        arguments(
            "a policy that nobody knows yet",
            pod("Lazy", C1, mounting(null)),
            TAKES,
            new LabelUse(new MountLabel(C1_LABEL), "Lazy")),
        arguments(
            "containers that agree",
            pod("", null, mounting(C1), mounting(C1)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "a container without any options has no say",
            pod("", null, mounting(C1), mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "a pod that waits counts",
            pod(Pod.Phase.PENDING, "", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)),
        arguments(
            "so does one of which nothing is heard",
            pod(Pod.Phase.UNSET, "", C1, mounting(null)),
            TAKES,
            mounted(C1_LABEL)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uses")
  void use(String row, PodMounts pod, VolumeFact fact, LabelUse expected) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact)))
        .isEqualTo(new PodLabels(List.of(new PodLabels.Volume(KEY, "d", expected)), List.of()));
  }

  static Stream<Arguments> nothing() {
    return Stream.of(
        arguments("no mounts", pod("", C1), TAKES),
        arguments("succeeded", pod(Pod.Phase.SUCCEEDED, "", C1, mounting(null)), TAKES),
        arguments("failed", pod(Pod.Phase.FAILED, "", C1, mounting(null)), TAKES),
        arguments("a claim that is not bound", pod("", C1, mounting(null)), new VolumeFact.Waits()),
        arguments(
            "a volume of a kind without labels",
            pod("", C1, mounting(null)),
            new VolumeFact.Plain()),
        arguments(
            "several labels on a volume of which nothing is known",
            pod("", null, mounting(C1), mounting(C9)),
            new VolumeFact.Waits()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("nothing")
  void nothingIsUsed(String row, PodMounts pod, VolumeFact fact) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact))).isEqualTo(PodLabels.NONE);
  }

  static Stream<Arguments> mixed() {
    PodMounts two = pod("", null, mounting(C1), mounting(C9));
    return Stream.of(
        arguments("two labels", two, TAKES),
        arguments("whether the volume takes them or not", two, TAKES_NONE),
        arguments("on a volume that is never shared", two, new VolumeFact.Plain()),
        arguments("a label and none", pod("", null, mounting(C1), mounting(EMPTY)), TAKES),
        arguments("the pod's and a container's", pod("", C1, mounting(null), mounting(C9)), TAKES),
        arguments("with Recursive too", pod("Recursive", null, mounting(C1), mounting(C9)), TAKES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mixed")
  void labelsAreMixed(String row, PodMounts pod, VolumeFact fact) {
    assertThat(UseDecider.decide(pod, Map.of("v", fact)))
        .isEqualTo(new PodLabels(List.of(), List.of("v")));
  }

  @Test
  void aMountOfNoVolumeIsNothing() {
    assertThat(UseDecider.decide(pod("", C1, mounting(null)), Map.of())).isEqualTo(PodLabels.NONE);
  }
}
