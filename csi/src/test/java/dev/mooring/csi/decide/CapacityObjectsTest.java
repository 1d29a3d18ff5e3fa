package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.CapacityObjects.CapacityChange;
import dev.mooring.csi.decide.CapacityObjects.CapacityScope;
import dev.mooring.csi.decide.TopologyRules.DriverNode;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityObjectsTest {
  private static final Map<String, String> Z1 = Map.of("zone", "z1");
  private static final Map<String, String> Z2 = Map.of("zone", "z2");

  private static StorageCapacity object(
      String name, LabelSelector topology, String size, String maximumSize) {
    return TestObjects.storageCapacity("ns", name)
        .label("csi.storage.k8s.io/drivername", "d")
        .label("csi.storage.k8s.io/managed-by", "external-provisioner")
        .nodeTopology(topology)
        .storageClass("c")
        .capacity(size == null ? null : Quantity.of(size))
        .maximumVolumeSize(maximumSize == null ? null : Quantity.of(maximumSize))
        .build();
  }

  private static LabelSelector in(Map<String, String> labels) {
    return new LabelSelector(labels, List.of());
  }

  private static final Map<String, DriverNode> PLACES =
      Map.of(
          "n1",
              new DriverNode(List.of("zone", "host"), Map.of("zone", "z1", "host", "n1", "x", "y")),
          "n2", new DriverNode(List.of("zone", "host"), Map.of("zone", "z1", "host", "n2")),
          "n3", new DriverNode(List.of("zone", "host"), Map.of("zone", "z2", "host", "n3")),
          "n4", new DriverNode(List.of("zone", "host"), Map.of("zone", "z2")));
  private static final Map<String, String> N1 = Map.of("zone", "z1", "host", "n1");
  private static final Map<String, String> N2 = Map.of("zone", "z1", "host", "n2");
  private static final Map<String, String> N3 = Map.of("zone", "z2", "host", "n3");

  @Test
  void affectedSegments_volume_returnsItsTopology() {
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OfVolume(List.of(N1)), PLACES))
        .contains(Set.of(N1));
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OfVolume(List.of(Z1)), PLACES))
        .contains(Set.of(N1, N2));
    assertThat(
            CapacityObjects.affectedSegments(new CapacityChange.OfVolume(List.of(N2, Z2)), PLACES))
        .contains(Set.of(N2, N3));
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OfVolume(List.of()), PLACES))
        .isEmpty();
  }

  @Test
  void affectedSegments_refusal_returnsNodesSegmentOrAll() {
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OnNode("n3"), PLACES))
        .contains(Set.of(N3));
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OnNode("n4"), PLACES))
        .as("the node lacks a topology label")
        .isEmpty();
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OnNode("n9"), PLACES)).isEmpty();
    assertThat(CapacityObjects.affectedSegments(new CapacityChange.OfClass("c"), PLACES)).isEmpty();
  }

  @Test
  void retainSegments_oneSegment_keepsMissingAndObsolete() {
    StorageCapacity first = object("1", in(Z1), "1Gi", null);
    StorageCapacity second = object("2", in(Z2), "1Gi", null);
    StorageCapacity obsolete = object("3", in(N1), "1Gi", null);
    CapacityObjects.CapacityComparison comparison =
        CapacityObjects.compare(List.of(Z1, Z2, N3), List.of(first, second, obsolete));
    assertThat(comparison.retainSegments(Set.of(Z2)))
        .isEqualTo(
            new CapacityObjects.CapacityComparison(
                Map.of(Z2, second), List.of(N3), List.of(obsolete)));
  }

  @Test
  void computeSegments_nodesOfOneSegment_returnsItOnce() {
    List<DriverNode> driverNodes =
        List.of(
            new DriverNode(List.of("zone"), Z1),
            new DriverNode(List.of("zone"), Z1),
            new DriverNode(List.of("zone"), Z2),
            new DriverNode(List.of("zone"), Map.of()),
            new DriverNode(List.of(), Z2));
    assertThat(CapacityObjects.computeSegments(driverNodes, true)).containsExactly(Z1, Z2);
    assertThat(CapacityObjects.computeSegments(driverNodes, false)).containsExactly(Map.of());
    assertThat(CapacityObjects.computeSegments(List.of(), true)).isEmpty();
  }

  @Test
  void compare_existingObjects_findsMissingAndObsolete() {
    StorageCapacity first = object("a", in(Z1), "1Gi", null);
    StorageCapacity twin = object("b", in(Z1), "1Gi", null);
    StorageCapacity otherZone = object("c", in(Map.of("zone", "z9")), "1Gi", null);
    StorageCapacity withoutTopology = object("d", null, "1Gi", null);
    StorageCapacity malformed =
        object(
            "e",
            new LabelSelector(
                Map.of(), List.of(new LabelSelector.Requirement("zone", "In", List.of("z2")))),
            "1Gi",
            null);
    CapacityObjects.CapacityComparison comparison =
        CapacityObjects.compare(
            List.of(Z1, Z2), List.of(first, twin, otherZone, withoutTopology, malformed));
    assertThat(comparison.current()).containsExactly(Map.entry(Z1, first));
    assertThat(comparison.missingSegments()).containsExactly(Z2);
    assertThat(comparison.obsolete()).containsExactly(twin, otherZone, withoutTopology, malformed);
    assertThat(CapacityObjects.compare(List.of(), List.of(first)).obsolete())
        .containsExactly(first);
  }

  @ParameterizedTest
  @CsvSource({
    "1Gi,  ,     1073741824, -1,         true",
    "1Gi,  ,     1073741823, -1,         false",
    "0,    ,     0,          -1,         true",
    ",     ,     0,          -1,         false",
    "2Gi,  1Gi,  2147483648, 1073741824, true",
    "2Gi,  1Gi,  2147483648, -1,         false",
    "2Gi,  ,     2147483648, 1073741824, false",
    "2Gi,  0,    2147483648, 0,          true",
  })
  void isUpToDate_object_isTrueOnlyForSameValues(
      String size, String maximumSize, long available, long maximum, boolean upToDate) {
    assertThat(
            CapacityObjects.isUpToDate(object("a", in(Z1), size, maximumSize), available, maximum))
        .isEqualTo(upToDate);
  }

  private static CapacityScope scope(String driver, String manager) {
    return new CapacityScope(driver, manager, "ns", false);
  }

  @Test
  void objectName_equalInputs_returnsEqualNames() {
    String name = scope("d", CapacityObjects.MANAGER).objectName("c", Z1);
    assertThat(name)
        .matches("csisc-[-0-9a-f]{36}")
        .isEqualTo(scope("d", CapacityObjects.MANAGER).objectName("c", Z1));
    assertThat(name)
        .isNotEqualTo(scope("d", CapacityObjects.MANAGER).objectName("c", Z2))
        .isNotEqualTo(scope("d", CapacityObjects.MANAGER).objectName("c2", Z1))
        .isNotEqualTo(scope("d2", CapacityObjects.MANAGER).objectName("c", Z1))
        .isNotEqualTo(scope("d", "external-provisioner-n").objectName("c", Z1));
  }

  /** external-provisioner shortens the name the same way, so its objects are taken over. */
  @ParameterizedTest
  @CsvSource({
    "n1, external-provisioner-n1",
    "node-with-a-name-of-42-characters-exactly-, external-provisioner-node-with-a-name-of-42-characters-exactly-",
    "node-with-a-name-of-43-characters-exactly--, external-p-53f40b57-node-with-a-name-of-43-characters-exactly--",
  })
  void managerLabel_node_returnsValidLabel(String node, String manager) {
    assertThat(CapacityObjects.managerLabel(node)).isEqualTo(manager).hasSizeLessThanOrEqualTo(63);
  }

  @Test
  void managerLabel_longestNodeName_returnsUniqueLabel() {
    assertThat(CapacityObjects.managerLabel("n".repeat(253)))
        .matches("external-provisioner-[0-9a-f]{8}")
        .isNotEqualTo(CapacityObjects.managerLabel("n".repeat(252)));
  }
}
