package dev.mooring.selinux.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.model.ObjectKey;
import dev.mooring.selinux.decide.LabelConflict.Property;
import dev.mooring.selinux.decide.LabelView.Group;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConflictDeciderTest {
  private static final ObjectKey A = ObjectKey.of("ns", "a");
  private static final ObjectKey B = ObjectKey.of("ns", "b");
  private static final ObjectKey OTHER_NAMESPACE = ObjectKey.of("other", "b");

  private static Group group(String label, String policy, ObjectKey... pods) {
    return new Group(new LabelUse(new MountLabel(label), policy), List.of(pods));
  }

  private static List<LabelConflict> decide(Group... groups) {
    return ConflictDecider.decide(new LabelView(List.of(groups)));
  }

  static Stream<Arguments> labels() {
    return Stream.of(
        arguments("u:r:t:l", "u:r:t:l", false),
        arguments("u:r:t:s0:c1,c2", "u:r:t:s0:c1,c3", true),
        arguments("u:r:t:l", "v:r:t:l", true),
        arguments("u:r:t:l", "u:s:t:l", true),
        arguments("u:r:t:l", "u:r:x:l", true),
        arguments("u:r:t:s0:c1", ":::s0:c1", false),
        arguments("u:r:t:s0:c1", ":::s0:c2", true),
        arguments("u:r::l", ":r:t:l", false),
        arguments("u:r::l", "v::t:l", true),
        arguments("u:r:t:", "u:r:t:l", true),
        arguments("u:r:t:", "", false),
        arguments("", ":::l", true),
        arguments("", "", false));
  }

  @ParameterizedTest(name = "\"{0}\" and \"{1}\"")
  @MethodSource("labels")
  void isConflicting_twoLabels_comparesOnlyComparableParts(
      String label, String otherLabel, boolean conflict) {
    assertThat(new MountLabel(label).isConflicting(new MountLabel(otherLabel))).isEqualTo(conflict);
    assertThat(new MountLabel(otherLabel).isConflicting(new MountLabel(label))).isEqualTo(conflict);
  }

  @Test
  void decide_equalOrCompatibleLabels_returnsNoConflict() {
    assertThat(decide(group("u:r:t:l", "MountOption", A, B))).isEmpty();
    assertThat(decide(group(":::l", "MountOption", A), group("u:r:t:l", "MountOption", B)))
        .isEmpty();
    assertThat(decide()).isEmpty();
  }

  @Test
  void decide_differentLabels_returnsConflictForBothPods() {
    assertThat(decide(group(":::l", "MountOption", A), group(":::m", "MountOption", B)))
        .containsExactly(
            new LabelConflict(Property.LABEL, A, ":::l", B, ":::m"),
            new LabelConflict(Property.LABEL, B, ":::m", A, ":::l"));
  }

  @Test
  void decide_differentPolicies_returnsPolicyConflict() {
    assertThat(decide(group("", "Recursive", A), group(":::l", "MountOption", B)))
        .containsExactly(
            new LabelConflict(Property.LABEL, A, "", B, ":::l"),
            new LabelConflict(Property.LABEL, B, ":::l", A, ""),
            new LabelConflict(Property.CHANGE_POLICY, A, "Recursive", B, "MountOption"),
            new LabelConflict(Property.CHANGE_POLICY, B, "MountOption", A, "Recursive"));
  }

  @Test
  void decide_manyPods_returnsAtMostMaxPairs() {
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      groups.add(
          new Group(
              new LabelUse(new MountLabel(":::c" + i), "MountOption"),
              IntStream.range(0, 50).mapToObj(n -> ObjectKey.of("ns", "p" + n)).toList()));
    }
    List<LabelConflict> conflicts = ConflictDecider.decide(new LabelView(groups));
    assertThat(conflicts).hasSize(2 * ConflictDecider.MAX_PAIRS);
    Set<LabelConflict> conflictSet = new HashSet<>(conflicts);
    assertThat(conflicts).allMatch(c -> conflictSet.contains(c.reversed()));
  }

  @Test
  void message_podOfOtherNamespace_isNotNamed() {
    LabelConflict sameNamespace = new LabelConflict(Property.LABEL, A, ":::l", B, ":::m");
    assertThat(sameNamespace.reason()).isEqualTo("SELinuxLabelConflict");
    assertThat(sameNamespace.message()).contains("pod b").contains("\":::l\"").contains("\":::m\"");
    LabelConflict otherNamespace =
        new LabelConflict(Property.CHANGE_POLICY, A, "Recursive", OTHER_NAMESPACE, "MountOption");
    assertThat(otherNamespace.reason()).isEqualTo("SELinuxChangePolicyConflict");
    assertThat(otherNamespace.message())
        .contains("another pod")
        .doesNotContain("pod b")
        .doesNotContain("other/")
        .doesNotContain("MountOption");
  }
}
