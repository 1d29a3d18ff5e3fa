package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.TopologyRules.DriverNode;
import dev.mooring.csi.decide.TopologyRules.Policy;
import dev.mooring.spi.csi.CsiConnection.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyRulesTest {
  private static final Map<String, String> A = Map.of("zone", "a");
  private static final Map<String, String> B = Map.of("zone", "b");
  private static final Map<String, String> C = Map.of("zone", "c");
  private static final Policy STRICT = new Policy(true, true);
  private static final List<Map<String, List<String>>> ANYWHERE = List.of();

  private static Map<String, DriverNode> zones() {
    Map<String, DriverNode> driverNodes = new TreeMap<>();
    driverNodes.put("n1", new DriverNode(List.of("zone"), A));
    driverNodes.put("n2", new DriverNode(List.of("zone"), B));
    driverNodes.put("n3", new DriverNode(List.of("zone"), C));
    driverNodes.put("n4", new DriverNode(List.of("zone"), B));
    return driverNodes;
  }

  private static TopologyRules.ClusterNodes nodes(Map<String, DriverNode> driverNodes) {
    return new TopologyRules.ClusterNodes(
        driverNodes, driverNodes.values().stream().map(DriverNode::labels).toList());
  }

  private static List<Map<String, List<String>>> allowed(String... values) {
    return List.of(Map.of("zone", List.of(values)));
  }

  private static Topology requirement(
      String claim,
      Map<String, DriverNode> driverNodes,
      @Nullable String node,
      List<Map<String, List<String>>> allowed,
      Policy policy) {
    CheckResult<Optional<Topology>> checked =
        TopologyRules.computeRequirement(claim, nodes(driverNodes), node, allowed, policy);
    assertThat(checked).isInstanceOf(CheckResult.Valid.class);
    return ((CheckResult.Valid<Optional<Topology>>) checked).value().orElseThrow();
  }

  private static String reasonOf(
      Map<String, DriverNode> driverNodes,
      @Nullable String node,
      List<Map<String, List<String>>> allowed,
      Policy policy) {
    return TopologyRules.computeRequirement("c", nodes(driverNodes), node, allowed, policy)
            instanceof CheckResult.Invalid<Optional<Topology>>(String reason)
        ? reason
        : "";
  }

  @Test
  void computeRequirement_selectedNode_prefersItsSegment() {
    Topology topology = requirement("c", zones(), "n2", ANYWHERE, Policy.DEFAULT);
    assertThat(topology.requisite()).containsExactly(A, B, C);
    assertThat(topology.preferred()).containsExactly(B, C, A);
  }

  @Test
  void computeRequirement_strict_namesOnlyTheNodesSegment() {
    assertThat(requirement("c", zones(), "n2", ANYWHERE, STRICT))
        .isEqualTo(new Topology(List.of(B), List.of(B)));
    assertThat(requirement("c", zones(), "n2", allowed("b", "c"), STRICT).requisite())
        .containsExactly(B);
    assertThat(reasonOf(zones(), "n2", allowed("a", "c"), STRICT))
        .contains("n2", "allowedTopologies");
  }

  @Test
  void computeRequirement_allowedTopologies_restrictsSegments() {
    Topology topology = requirement("c", zones(), "n3", allowed("c", "a"), Policy.DEFAULT);
    assertThat(topology.requisite()).containsExactly(A, C);
    assertThat(topology.preferred()).containsExactly(C, A);
    assertThat(reasonOf(zones(), "n2", allowed("c", "a"), Policy.DEFAULT)).contains("n2");
  }

  @Test
  void computeRequirement_noSelectedNode_spreadsClaims() {
    List<Map<String, List<String>>> allowed = allowed("a", "b", "c", "d");
    assertThat(
            requirement("testpvcA-testset-1", zones(), null, allowed, Policy.DEFAULT).preferred())
        .containsExactly(A, B, C, Map.of("zone", "d"));
    assertThat(
            requirement("testpvcA-testset-2", zones(), null, allowed, Policy.DEFAULT).preferred())
        .containsExactly(B, C, Map.of("zone", "d"), A);
    assertThat(requirement("c", zones(), null, ANYWHERE, Policy.DEFAULT).requisite())
        .containsExactly(A, B, C);
    assertThat(
            TopologyRules.computeRequirement(
                "c", nodes(zones()), null, ANYWHERE, new Policy(false, false)))
        .isEqualTo(new CheckResult.Valid<>(Optional.empty()));
  }

  /** Sorting by values puts node-10 after node-1; sorting the sidecar's text form would not. */
  @Test
  void computeRequirement_segments_areInSidecarsOrder() {
    Map<String, DriverNode> driverNodes = new TreeMap<>();
    for (String name : List.of("node-1", "node-10", "node-2", "node-1a")) {
      driverNodes.put(name, new DriverNode(List.of("host"), Map.of("host", name)));
    }
    assertThat(requirement("c", driverNodes, null, ANYWHERE, Policy.DEFAULT).requisite())
        .extracting(t -> t.get("host"))
        .containsExactly("node-1", "node-10", "node-1a", "node-2");
    assertThat(
            TopologyRules.flatten(
                List.of(
                    Map.of("a", List.of("1", "1,", "1 x"), "b", List.of("2")),
                    Map.of("a", List.of("1"), "b.c", List.of("2")))))
        .containsExactly(
            Map.of("a", "1", "b", "2"),
            Map.of("a", "1", "b.c", "2"),
            Map.of("a", "1 x", "b", "2"),
            Map.of("a", "1,", "b", "2"));
  }

  /** The driver may start later on a node without it, or may have stopped there. */
  @Test
  void computeRequirement_nodesWithoutDriver_count() {
    TopologyRules.ClusterNodes withoutDriver =
        new TopologyRules.ClusterNodes(
            Map.of("n1", new DriverNode(List.of("zone"), B)),
            List.of(B, A, C, Map.of("rack", "1"), Map.of("zone", "c", "rack", "2")));
    for (String selected : new String[] {null, "n1"}) {
      CheckResult<Optional<Topology>> checked =
          TopologyRules.computeRequirement("c", withoutDriver, selected, ANYWHERE, Policy.DEFAULT);
      assertThat(
              ((CheckResult.Valid<Optional<Topology>>) checked).value().orElseThrow().requisite())
          .containsExactly(A, B, C);
    }
  }

  @Test
  void computeRequirement_missingLabelsOrDriver_isInvalid() {
    assertThat(reasonOf(Map.of(), null, ANYWHERE, Policy.DEFAULT))
        .isEqualTo("no available topology found");
    assertThat(reasonOf(zones(), "n9", ANYWHERE, Policy.DEFAULT))
        .isEqualTo("no topology key found for node n9");
    Map<String, DriverNode> bare = Map.of("n1", new DriverNode(List.of("rack"), A));
    assertThat(reasonOf(bare, "n1", ANYWHERE, Policy.DEFAULT)).contains("n1", "rack");
    assertThat(reasonOf(bare, null, ANYWHERE, Policy.DEFAULT))
        .isEqualTo("topologyKeys [rack] were not found on any nodes");
  }

  @Test
  void flatten_terms_returnsAllCombinations() {
    assertThat(
            TopologyRules.flatten(
                List.of(
                    Map.of("zone", List.of("a", "b"), "rack", List.of("1", "2")),
                    Map.of("zone", List.of("a", "a")))))
        .containsExactly(
            A,
            Map.of("rack", "1", "zone", "a"),
            Map.of("rack", "1", "zone", "b"),
            Map.of("rack", "2", "zone", "a"),
            Map.of("rack", "2", "zone", "b"));
  }

  @Test
  void hash_anyName_equalsSidecars() {
    assertThat(TopologyRules.hash("testset")).isEqualTo(1633848515L);
  }

  /** external-provisioner parses 32 bits; a larger number is part of the name. */
  @ParameterizedTest
  @CsvSource({
    "a-set-4294967295,           set,                 4294967295",
    "a-set-4294967296,           a-set-4294967296,    0",
    "a-set-9999999999,           a-set-9999999999,    0",
    "a-set-000000000000000003,   set,                 3",
    "set-3,                      set,                 3",
    "set,                        set,                 0",
    "a-set-3x,                   a-set-3x,            0",
  })
  void firstTermIndex_trailingNumber_isParsedLikeSidecar(String claim, String hashed, long index) {
    for (int terms = 1; terms < 8; terms++) {
      assertThat(TopologyRules.firstTermIndex(claim, terms))
          .isEqualTo(((TopologyRules.hash(hashed) + index) & 0xffffffffL) % terms);
    }
  }

  /** All claims of a pod start at the same segment, whatever the prefix of their names. */
  @ParameterizedTest
  @CsvSource({
    "testpvcA-testset-1, testpvcB-testset-1, 0",
    "testpvcA-testset-2, other-testset-2,    1",
  })
  void firstTermIndex_prefixOfName_isIgnored(String claim, String otherClaim, int difference) {
    int base = TopologyRules.firstTermIndex("testpvcA-testset-1", 4);
    assertThat(TopologyRules.firstTermIndex(claim, 4)).isEqualTo((base + difference) % 4);
    assertThat(TopologyRules.firstTermIndex(otherClaim, 4))
        .isEqualTo(TopologyRules.firstTermIndex(claim, 4));
  }

  @Test
  void restrictToSnapshot_commonTerms_areKept() {
    assertThat(TopologyRules.restrictToSnapshot(allowed("a", "b"), allowed("b", "c")))
        .isEqualTo(new CheckResult.Valid<>(allowed("b")));
    assertThat(
            TopologyRules.restrictToSnapshot(
                allowed("a"), List.of(Map.of("region", List.of("r1", "r2")))))
        .as("different keys")
        .isEqualTo(
            new CheckResult.Valid<>(
                List.of(Map.of("zone", List.of("a"), "region", List.of("r1", "r2")))));
  }

  @Test
  void restrictToSnapshot_oneSideWithoutTerms_returnsOther() {
    assertThat(TopologyRules.restrictToSnapshot(ANYWHERE, allowed("a")))
        .isEqualTo(new CheckResult.Valid<>(allowed("a")));
    assertThat(TopologyRules.restrictToSnapshot(allowed("b"), ANYWHERE))
        .isEqualTo(new CheckResult.Valid<>(allowed("b")));
  }

  @Test
  void restrictToSnapshot_nothingInCommon_isInvalid() {
    assertThat(TopologyRules.restrictToSnapshot(allowed("a"), allowed("b")))
        .isEqualTo(
            new CheckResult.Invalid<>(
                "the class's allowedTopologies [{zone=[a]}] exclude the snapshot's nodeAffinity [{zone=[b]}]"));
  }
}
