package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes whose claim was deleted or got another volume, and volumes that cannot be used. */
class UnwantedVolumesTest extends VolumesFixture {
  private Order unwanted(Order order, boolean deleted) {
    Claim claim = order.claim();
    return new Order(
        order.volumeName(),
        TestObjects.like(claim)
            .deleted(deleted ? 2 : 0)
            .labels(Map.of())
            .annotations(Map.of())
            .volumeName(deleted ? "" : "disk")
            .selector(null)
            .build(),
        order.storageClass(),
        null);
  }

  private ProvisionResult create(Order order) throws InterruptedException {
    return ((Plan.Ready) volumes.plan(order)).call().run();
  }

  private static DriverReply<CsiVolume> volumeOf(long bytes) {
    return new DriverReply.Ok<>(new CsiVolume("h", bytes, Map.of(), false, List.of()));
  }

  /** The claim has grown since then, after it got another volume. */
  @Test
  void unwantedVolume_anotherSize_isFound() throws InterruptedException {
    driver.create =
        call -> {
          assertThat(call.requiredBytes()).as("the specification forbids 0").isPositive();
          return call.requiredBytes() > 1
              ? new DriverReply.Refused<>(StatusCode.ALREADY_EXISTS, "another size")
              : volumeOf(1);
        };
    assertThat(create(unwanted(order("empty"), false))).isInstanceOf(ProvisionResult.Created.class);
    assertThat(create(order("empty")))
        .as("a wanted claim")
        .isInstanceOf(ProvisionResult.Failed.class);
  }

  /** The source and the class may be gone by then. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unwantedVolume_sourceGone_isFound(boolean deleted) throws InterruptedException {
    cluster.remove(Kind.VOLUME, V);
    cluster.remove(Kind.ATTRIBUTES_CLASS, GOLD);
    driver.create = call -> volumeOf(call.requiredBytes());
    assertThat(create(unwanted(order("clone"), deleted)))
        .isInstanceOf(ProvisionResult.Created.class);
    assertThat(volumes.plan(order("clone"))).as("a wanted claim").isInstanceOf(Plan.Blocked.class);
  }

  /** The next attempt finds the volume by its name. */
  @Test
  void unusableVolume_rollback_callsDriverOnce() throws InterruptedException {
    driver.create = call -> volumeOf(call.requiredBytes() / 2);
    driver.delete = new DriverReply.Refused<>(StatusCode.UNAVAILABLE, "not now");
    ProvisionResult.Unusable unusable = (ProvisionResult.Unusable) create(order("empty"));
    assertThat(driver.deletions).as("it may still be saved").hasValue(0);
    assertThat(unusable.rollback().run()).isInstanceOf(DestroyResult.Failed.class);
    assertThat(driver.deletions).hasValue(1);
  }

  private Order requesting(String size, boolean deleted) {
    Order order = order("empty");
    Claim claim = TestObjects.like(order.claim()).request(size).deleted(deleted ? 2 : 0).build();
    return new Order(order.volumeName(), claim, order.storageClass(), null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10E", "9223372036854775807.5", "8Ei"})
  void request_beyondInt64Bytes_isNeverSentToTheDriver(String size) throws InterruptedException {
    assertThat(volumes.plan(requesting(size, false)))
        .isInstanceOfSatisfying(
            Plan.Impossible.class,
            never -> assertThat(never.reason()).contains("at most 9223372036854775807 bytes"));
  }

  @Test
  void request_ofInt64Bytes_isSent() throws InterruptedException {
    assertThat(volumes.plan(requesting("9223372036854775807", false)))
        .isInstanceOf(Plan.Ready.class);
    assertThat(volumes.plan(requesting("10E", true)))
        .as("requested by an earlier version")
        .isInstanceOf(Plan.Ready.class);
  }

  /** The driver does not receive the class, so the volume need not have it. */
  @Test
  void unwantedVolume_ofAnAttributesClass_isSavedWithoutIt() throws InterruptedException {
    driver.create = call -> volumeOf(call.requiredBytes());
    Order order = order("empty");
    Claim claim = TestObjects.like(order.claim()).attributesClass("gold").deleted(2).build();
    ProvisionResult result =
        create(new Order(order.volumeName(), claim, order.storageClass(), null));
    assertThat(result)
        .isInstanceOfSatisfying(
            ProvisionResult.Created.class,
            saved ->
                assertThat(saved.object().members().toString())
                    .contains("volumeHandle=h")
                    .doesNotContain("volumeAttributesClassName"));
  }

  /** The claim grew after it got another volume. */
  @Test
  void unwantedVolume_request_hasSizeOfEarlierCall() throws InterruptedException {
    List<Long> sizes = new ArrayList<>();
    driver.create =
        call -> {
          sizes.add(call.requiredBytes());
          return new DriverReply.Refused<>(StatusCode.DEADLINE_EXCEEDED, "slow");
        };
    create(requesting("1Gi", false));
    create(requesting("2Gi", true));
    assertThat(sizes).containsExactly(1L << 30, 1L << 30);
  }
}
