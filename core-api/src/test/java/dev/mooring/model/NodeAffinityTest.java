package dev.mooring.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.testkit.TestObjects;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expects the results of the scheduler in Kubernetes. */
class NodeAffinityTest {
  private static Node node(String name, String labels) {
    Map<String, String> labelMap =
        labels == null
            ? Map.of()
            : Arrays.stream(labels.split(";"))
                .map(label -> label.split("="))
                .collect(Collectors.toMap(l -> l[0], l -> l[1]));
    Meta meta =
        TestObjects.metaOf(ObjectKey.cluster(name))
            .uid(Uid.NONE)
            .version(0)
            .labels(labelMap)
            .meta();
    return TestObjects.node(meta).build();
  }

  private static Requirement requirement(String text) {
    String[] fields = text.strip().split(" ");
    return new Requirement(
        fields[0], fields[1], fields.length < 3 ? List.of() : List.of(fields[2].split("/")));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "zone In a/b,            zone=a,        true",
        "zone In a/b,            zone=c,        false",
        "zone In a,              -,             false",
        "zone NotIn a,           -,             true",
        "zone NotIn a,           zone=a,        false",
        "zone Exists,            zone=x,        true",
        "zone Exists,            -,             false",
        "zone DoesNotExist,      -,             true",
        "disks Gt 3,             disks=4,       true",
        "disks Gt 3,             disks=3,       false",
        "disks Lt 3,             disks=2,       true",
        "disks Lt 3,             disks=many,    false",
        "disks Lt 3,             -,             false",
        "disks Gt 1/2,           disks=4,       false",
        "zone Near a,            zone=a,        false",
        "zone In a & rack In r,  zone=a;rack=r, true",
        "zone In a & rack In r,  zone=a,        false",
        "zone In a | zone In b,  zone=b,        true",
      })
  void admits_labels_matchTerms(String terms, String labels, boolean admitted) {
    NodeAffinity affinity =
        new NodeAffinity(
            Arrays.stream(terms.split("\\|"))
                .map(term ->
                    new NodeAffinity.Term(
                        Arrays.stream(term.split("&")).map(NodeAffinityTest::requirement).toList(),
                        List.of()))
                .toList());
    assertThat(affinity.admits(node("n", labels))).isEqualTo(admitted);
  }

  @Test
  void admits_noTermsOrEmptyTerm_followsKubernetes() {
    assertThat(NodeAffinity.NONE.admits(node("n", null))).isTrue();
    NodeAffinity empty = new NodeAffinity(List.of(new NodeAffinity.Term(List.of(), List.of())));
    assertThat(empty.admits(node("n", null))).isFalse();
  }

  @Test
  void admits_nodeName_matchesField() {
    NodeAffinity affinity =
        new NodeAffinity(
            List.of(
                new NodeAffinity.Term(List.of(), List.of(requirement("metadata.name In n1/n2")))));
    assertThat(affinity.admits(node("n1", null))).isTrue();
    assertThat(affinity.admits(node("n3", null))).isFalse();
    assertThat(affinity).hasToString("metadata.name in [n1, n2]");
  }
}
