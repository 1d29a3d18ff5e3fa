package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.decide.ClassView.LeaseState;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.StorageClass.Binding;
import dev.mooring.testkit.TestObjects;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** States of storage classes: a row for each way in which provisioning can be missing. */
class ClassViewTest {
  private static Meta meta(String name) {
    return TestObjects.metaOf(ObjectKey.cluster(name)).uid("u").created(1).meta();
  }

  private static StorageClass storageClass(String provisioner, Binding binding) {
    return TestObjects.storageClass(meta("c")).provisioner(provisioner).binding(binding).build();
  }

  private static List<StorageCapacity> capacities(@Nullable String text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.split("/"))
            .map(one -> {
              String[] sizes = one.split(":");
              return TestObjects.storageCapacity(meta("r"))
                  .storageClass("c")
                  .capacity(sizes[0].isEmpty() ? null : Quantity.of(sizes[0]))
                  .maximumVolumeSize(sizes.length < 2 ? null : Quantity.of(sizes[1]))
                  .build();
            })
            .toList();
  }

  /**
   * Columns: CSIDriver and whether it publishes capacity, nodes with the driver, lease, binding,
   * capacity.
   */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "none,   0, NONE,  IMMEDIATE,               -,        PROVISIONER_NOT_SEEN",
        "none,   1, NONE,  IMMEDIATE,               -,        CLASS_SERVED",
        "none,   0, HELD,  IMMEDIATE,               -,        CLASS_SERVED",
        "none,   0, ENDED, IMMEDIATE,               -,        PROVISIONER_STOPPED",
        "silent, 3, ENDED, IMMEDIATE,               -,        PROVISIONER_STOPPED",
        "silent, 0, NONE,  IMMEDIATE,               -,        DRIVER_ON_NO_NODE",
        "silent, 0, HELD,  IMMEDIATE,               -,        DRIVER_ON_NO_NODE",
        "silent, 3, NONE,  WAIT_FOR_FIRST_CONSUMER, -,        CLASS_SERVED",
        "tells,  3, NONE,  IMMEDIATE,               -,        CLASS_SERVED",
        "tells,  3, NONE,  WAIT_FOR_FIRST_CONSUMER, -,        CAPACITY_UNPUBLISHED",
        "tells,  3, NONE,  WAIT_FOR_FIRST_CONSUMER, 0/0,      CLASS_WITHOUT_ROOM",
        "tells,  3, NONE,  WAIT_FOR_FIRST_CONSUMER, 5Gi:0,    CLASS_WITHOUT_ROOM",
        "tells,  3, NONE,  WAIT_FOR_FIRST_CONSUMER, 0/5Gi:1Gi, CLASS_SERVED",
        "tells,  3, HELD,  WAIT_FOR_FIRST_CONSUMER, 5Gi,      CLASS_SERVED",
      })
  void reason_externalProvisioner_dependsOnEvidence(
      String driver,
      int nodesWithDriver,
      LeaseState lease,
      Binding binding,
      @Nullable String capacity,
      Reason reason) {
    ClassView view =
        new ClassView(
            storageClass("d", binding),
            new Provisioning.ByOthers("d"),
            driver.equals("none")
                ? Optional.empty()
                : Optional.of(
                    TestObjects.csiDriver(meta("d"))
                        .storageCapacity(driver.equals("tells"))
                        .build()),
            nodesWithDriver,
            3,
            lease,
            capacities(capacity));
    assertThat(view.reason()).isEqualTo(reason);
  }

  @Test
  void reason_eachEvidence_isRanked() {
    assertThat(reasonOf("kubernetes.io/no-provisioner", new Provisioning.Unserved("")))
        .isEqualTo(Reason.CREATED_MANUALLY);
    assertThat(reasonOf("p", new Provisioning.ByPlugin("p"))).isEqualTo(Reason.CLASS_SERVED);
    assertThat(reasonOf("kubernetes.io/who", new Provisioning.Unserved("")))
        .isEqualTo(Reason.PROVISIONER_UNKNOWN);
  }

  private static Reason reasonOf(String provisioner, Provisioning provisioning) {
    return new ClassView(
            storageClass(provisioner, Binding.IMMEDIATE),
            provisioning,
            Optional.empty(),
            0,
            3,
            LeaseState.NONE,
            List.of())
        .reason();
  }
}
