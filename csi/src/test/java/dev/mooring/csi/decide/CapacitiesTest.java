package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.Capacities.Change;
import dev.mooring.csi.decide.Topologies.Place;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** spec/csi-bridge.md 9. */
class CapacitiesTest {
  private static final Map<String, String> Z1 = Map.of("zone", "z1");
  private static final Map<String, String> Z2 = Map.of("zone", "z2");

  private static StorageCapacity object(
      String name, LabelSelector where, String size, String most) {
    return Builders.storageCapacity("ns", name)
        .label("csi.storage.k8s.io/drivername", "d")
        .label("csi.storage.k8s.io/managed-by", "external-provisioner")
        .nodeTopology(where)
        .storageClass("c")
        .capacity(size == null ? null : Quantity.of(size))
        .maximumVolumeSize(most == null ? null : Quantity.of(most))
        .build();
  }

  private static LabelSelector in(Map<String, String> labels) {
    return new LabelSelector(labels, List.of());
  }

  private static final Map<String, Place> PLACES =
      Map.of(
          "n1", new Place(List.of("zone", "host"), Map.of("zone", "z1", "host", "n1", "x", "y")),
          "n2", new Place(List.of("zone", "host"), Map.of("zone", "z1", "host", "n2")),
          "n3", new Place(List.of("zone", "host"), Map.of("zone", "z2", "host", "n3")),
          "n4", new Place(List.of("zone", "host"), Map.of("zone", "z2")));
  private static final Map<String, String> N1 = Map.of("zone", "z1", "host", "n1");
  private static final Map<String, String> N2 = Map.of("zone", "z1", "host", "n2");
  private static final Map<String, String> N3 = Map.of("zone", "z2", "host", "n3");

  @Test
  void aVolumeTouchesTheRoomWhereItCanBeReached() {
    assertThat(Capacities.touched(new Change.Of(List.of(N1)), PLACES)).contains(Set.of(N1));
    assertThat(Capacities.touched(new Change.Of(List.of(Z1)), PLACES)).contains(Set.of(N1, N2));
    assertThat(Capacities.touched(new Change.Of(List.of(N2, Z2)), PLACES)).contains(Set.of(N2, N3));
    assertThat(Capacities.touched(new Change.Of(List.of()), PLACES)).isEmpty();
  }

  @Test
  void aRefusalTouchesTheNodesPlaceOrTheWholeClass() {
    assertThat(Capacities.touched(new Change.OnNode("n3"), PLACES)).contains(Set.of(N3));
    assertThat(Capacities.touched(new Change.OnNode("n4"), PLACES)).as("no label yet").isEmpty();
    assertThat(Capacities.touched(new Change.OnNode("n9"), PLACES)).isEmpty();
    assertThat(Capacities.touched(new Change.OfClass("c"), PLACES)).isEmpty();
  }

  @Test
  void someOfThePlacesAreAskedAboutAndAllThatHaveNoObject() {
    StorageCapacity first = object("1", in(Z1), "1Gi", null);
    StorageCapacity second = object("2", in(Z2), "1Gi", null);
    StorageCapacity gone = object("3", in(N1), "1Gi", null);
    Capacities.Standing all = Capacities.compare(List.of(Z1, Z2, N3), List.of(first, second, gone));
    assertThat(all.at(Set.of(Z2)))
        .isEqualTo(new Capacities.Standing(Map.of(Z2, second), List.of(N3), List.of(gone)));
  }

  @Test
  void eachPlaceCountsOnce() {
    List<Place> places =
        List.of(
            new Place(List.of("zone"), Z1),
            new Place(List.of("zone"), Z1),
            new Place(List.of("zone"), Z2),
            new Place(List.of("zone"), Map.of()),
            new Place(List.of(), Z2));
    assertThat(Capacities.segments(places, true)).containsExactly(Z1, Z2);
    assertThat(Capacities.segments(places, false)).containsExactly(Map.of());
    assertThat(Capacities.segments(List.of(), true)).isEmpty();
  }

  @Test
  void whatIsThereIsComparedWithWhatShouldBe() {
    StorageCapacity first = object("a", in(Z1), "1Gi", null);
    StorageCapacity twin = object("b", in(Z1), "1Gi", null);
    StorageCapacity elsewhere = object("c", in(Map.of("zone", "z9")), "1Gi", null);
    StorageCapacity nowhere = object("d", null, "1Gi", null);
    StorageCapacity odd =
        object(
            "e",
            new LabelSelector(
                Map.of(), List.of(new LabelSelector.Requirement("zone", "In", List.of("z2")))),
            "1Gi",
            null);
    Capacities.Standing standing =
        Capacities.compare(List.of(Z1, Z2), List.of(first, twin, elsewhere, nowhere, odd));
    assertThat(standing.kept()).containsExactly(Map.entry(Z1, first));
    assertThat(standing.missing()).containsExactly(Z2);
    assertThat(standing.obsolete()).containsExactly(twin, elsewhere, nowhere, odd);
    assertThat(Capacities.compare(List.of(), List.of(first)).obsolete()).containsExactly(first);
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
  void nothingIsWrittenThatItSaysAlready(
      String size, String most, long available, long maximum, boolean says) {
    assertThat(Capacities.says(object("a", in(Z1), size, most), available, maximum))
        .isEqualTo(says);
  }

  @Test
  void aNameIsThatOfOnePlaceAndClass() {
    String name = Capacities.nameFor(Capacities.MANAGER, "d", "c", Z1);
    assertThat(name)
        .matches("csisc-[-0-9a-f]{36}")
        .isEqualTo(Capacities.nameFor(Capacities.MANAGER, "d", "c", Z1));
    assertThat(name)
        .isNotEqualTo(Capacities.nameFor(Capacities.MANAGER, "d", "c", Z2))
        .isNotEqualTo(Capacities.nameFor(Capacities.MANAGER, "d", "c2", Z1))
        .isNotEqualTo(Capacities.nameFor(Capacities.MANAGER, "d2", "c", Z1))
        .isNotEqualTo(Capacities.nameFor("external-provisioner-n", "d", "c", Z1));
  }

  /** As external-provisioner shortens it: what it wrote is taken over. */
  @ParameterizedTest
  @CsvSource({
    "n1, external-provisioner-n1",
    "node-with-a-name-of-42-characters-exactly-, external-provisioner-node-with-a-name-of-42-characters-exactly-",
    "node-with-a-name-of-43-characters-exactly--, external-p-53f40b57-node-with-a-name-of-43-characters-exactly--",
  })
  void whoKeepsTheObjectsOfANodeIsNamedInALabel(String node, String manager) {
    assertThat(Capacities.managerOn(node)).isEqualTo(manager).hasSizeLessThanOrEqualTo(63);
  }

  @Test
  void evenTheLongestNodeNameMakesALabel() {
    assertThat(Capacities.managerOn("n".repeat(253)))
        .matches("external-provisioner-[0-9a-f]{8}")
        .isNotEqualTo(Capacities.managerOn("n".repeat(252)));
  }
}
