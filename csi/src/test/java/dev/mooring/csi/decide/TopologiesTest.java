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

/** Cases of spec/csi-bridge.md 5.4, 24 to 28. */
class TopologiesTest {
  private static final Map<String, String> A = Map.of("zone", "a");
  private static final Map<String, String> B = Map.of("zone", "b");
  private static final Map<String, String> C = Map.of("zone", "c");
  private static final Policy STRICT = new Policy(true, true);
  private static final List<Map<String, List<String>>> ANYWHERE = List.of();

  private static Map<String, DriverNode> zones() {
    Map<String, DriverNode> places = new TreeMap<>();
    places.put("n1", new DriverNode(List.of("zone"), A));
    places.put("n2", new DriverNode(List.of("zone"), B));
    places.put("n3", new DriverNode(List.of("zone"), C));
    places.put("n4", new DriverNode(List.of("zone"), B));
    return places;
  }

  private static TopologyRules.ClusterNodes nodes(Map<String, DriverNode> places) {
    return new TopologyRules.ClusterNodes(
        places, places.values().stream().map(DriverNode::labels).toList());
  }

  private static List<Map<String, List<String>>> allowed(String... values) {
    return List.of(Map.of("zone", List.of(values)));
  }

  private static Topology requirement(
      String claim,
      Map<String, DriverNode> places,
      @Nullable String node,
      List<Map<String, List<String>>> allowed,
      Policy policy) {
    CheckResult<Optional<Topology>> checked =
        TopologyRules.requirement(claim, nodes(places), node, allowed, policy);
    assertThat(checked).isInstanceOf(CheckResult.Valid.class);
    return ((CheckResult.Valid<Optional<Topology>>) checked).value().orElseThrow();
  }

  private static String why(
      Map<String, DriverNode> places,
      @Nullable String node,
      List<Map<String, List<String>>> allowed,
      Policy policy) {
    return TopologyRules.requirement("c", nodes(places), node, allowed, policy)
            instanceof CheckResult.Invalid<Optional<Topology>>(String why)
        ? why
        : "";
  }

  @Test
  void requirement_selectedNode_prefersItsSegment() {
    Topology topology = requirement("c", zones(), "n2", ANYWHERE, Policy.DEFAULT);
    assertThat(topology.requisite()).containsExactly(A, B, C);
    assertThat(topology.preferred()).containsExactly(B, C, A);
  }

  @Test
  void requirement_strict_namesOnlyTheNodesSegment() {
    assertThat(requirement("c", zones(), "n2", ANYWHERE, STRICT))
        .isEqualTo(new Topology(List.of(B), List.of(B)));
    assertThat(requirement("c", zones(), "n2", allowed("b", "c"), STRICT).requisite())
        .containsExactly(B);
    assertThat(why(zones(), "n2", allowed("a", "c"), STRICT)).contains("n2", "allowedTopologies");
  }

  @Test
  void requirement_allowedTopologies_restrictsSegments() {
    Topology topology = requirement("c", zones(), "n3", allowed("c", "a"), Policy.DEFAULT);
    assertThat(topology.requisite()).containsExactly(A, C);
    assertThat(topology.preferred()).containsExactly(C, A);
    assertThat(why(zones(), "n2", allowed("c", "a"), Policy.DEFAULT)).contains("n2");
  }

  @Test
  void requirement_noSelectedNode_spreadsClaims() {
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
            TopologyRules.requirement(
                "c", nodes(zones()), null, ANYWHERE, new Policy(false, false)))
        .isEqualTo(new CheckResult.Valid<>(Optional.empty()));
  }

  /** Sorting by values puts node-10 after node-1; sorting the sidecar's text form would not. */
  @Test
  void requirement_segments_areInSidecarsOrder() {
    Map<String, DriverNode> places = new TreeMap<>();
    for (String name : List.of("node-1", "node-10", "node-2", "node-1a")) {
      places.put(name, new DriverNode(List.of("host"), Map.of("host", name)));
    }
    assertThat(requirement("c", places, null, ANYWHERE, Policy.DEFAULT).requisite())
        .extracting(t -> t.get("host"))
        .containsExactly("node-1", "node-10", "node-1a", "node-2");
    assertThat(
            TopologyRules.flattened(
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
  void requirement_nodesWithoutDriver_count() {
    TopologyRules.ClusterNodes withoutDriver =
        new TopologyRules.ClusterNodes(
            Map.of("n1", new DriverNode(List.of("zone"), B)),
            List.of(B, A, C, Map.of("rack", "1"), Map.of("zone", "c", "rack", "2")));
    for (String selected : new String[] {null, "n1"}) {
      CheckResult<Optional<Topology>> checked =
          TopologyRules.requirement("c", withoutDriver, selected, ANYWHERE, Policy.DEFAULT);
      assertThat(
              ((CheckResult.Valid<Optional<Topology>>) checked).value().orElseThrow().requisite())
          .containsExactly(A, B, C);
    }
  }

  @Test
  void requirement_missingLabelsOrDriver_isInvalid() {
    assertThat(why(Map.of(), null, ANYWHERE, Policy.DEFAULT))
        .isEqualTo("no available topology found");
    assertThat(why(zones(), "n9", ANYWHERE, Policy.DEFAULT))
        .isEqualTo("no topology key found for node n9");
    Map<String, DriverNode> bare = Map.of("n1", new DriverNode(List.of("rack"), A));
    assertThat(why(bare, "n1", ANYWHERE, Policy.DEFAULT)).contains("n1", "rack");
    assertThat(why(bare, null, ANYWHERE, Policy.DEFAULT))
        .isEqualTo("topologyKeys [rack] were not found on any nodes");
  }

  @Test
  void flattened_terms_returnsAllCombinations() {
    assertThat(
            TopologyRules.flattened(
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
  void hash_equalsSidecars() {
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
  void start_trailingNumber_isParsedLikeSidecar(String claim, String hashed, long index) {
    for (int terms = 1; terms < 8; terms++) {
      assertThat(TopologyRules.start(claim, terms))
          .isEqualTo(((TopologyRules.hash(hashed) + index) & 0xffffffffL) % terms);
    }
  }

  /** All claims of a pod start at the same segment, whatever the prefix of their names. */
  @ParameterizedTest
  @CsvSource({
    "testpvcA-testset-1, testpvcB-testset-1, 0",
    "testpvcA-testset-2, other-testset-2,    1",
  })
  void start_prefixOfName_isIgnored(String claim, String other, int difference) {
    int base = TopologyRules.start("testpvcA-testset-1", 4);
    assertThat(TopologyRules.start(claim, 4)).isEqualTo((base + difference) % 4);
    assertThat(TopologyRules.start(other, 4)).isEqualTo(TopologyRules.start(claim, 4));
  }
}
