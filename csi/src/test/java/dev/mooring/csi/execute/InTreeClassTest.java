package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Volumes of StorageClasses that name the in-tree plugin of a driver. */
class InTreeClassTest {
  private static final String DRIVER = "ebs.csi.aws.com";
  private static final String PLUGIN = "kubernetes.io/aws-ebs";

  private final InMemoryCluster cluster = new InMemoryCluster();
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session =
      new DriverSession(DRIVER, driver, new SimTime(), new OperationStats());
  private final CsiVolumes volumes =
      VolumesFixture.volumes(
          session,
          new DriverNodes(DRIVER, cluster.informers(), Optional.empty()),
          cluster,
          cluster,
          new BlockedClaims());

  @BeforeEach
  void startDriver() {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(
                DRIVER,
                "1",
                EnumSet.complementOf(
                    EnumSet.of(DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS))));
    session.start();
    TestWait.until("the driver is known", () -> session.identity().isPresent());
    cluster.put(Kind.ATTRIBUTES_CLASS, TestObjects.attributesClass("gold").driver(DRIVER).build());
  }

  @AfterEach
  void stopDriver() throws InterruptedException {
    session.stop();
  }

  private Plan plan(String provisioner, String attributesClass) throws InterruptedException {
    Claim claim =
        TestObjects.claim("ns", "c")
            .uid("u")
            .storageClass("fast")
            .request("1Gi")
            .accessModes("ReadWriteOnce")
            .attributesClass(attributesClass)
            .build();
    cluster.put(Kind.CLAIM, claim);
    return volumes.plan(
        new Order(
            "pvc-u",
            claim,
            TestObjects.storageClass("fast").provisioner(provisioner).build(),
            null));
  }

  /** The API server refuses such a PersistentVolume, after the driver has made the volume. */
  @Test
  void plan_attributesClassForInTreeVolume_isImpossible() throws InterruptedException {
    assertThat(plan(PLUGIN, "gold"))
        .isInstanceOfSatisfying(
            Plan.Impossible.class,
            it -> assertThat(it.reason()).contains(PLUGIN, "VolumeAttributesClass", DRIVER));
    assertThat(plan(PLUGIN, "")).isInstanceOf(Plan.Ready.class);
    assertThat(plan(DRIVER, "gold")).isInstanceOf(Plan.Ready.class);
  }
}
