package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.ResizeConditions;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExpansionWriterTest {
  private static final String NO_NODE_EXPANSION =
      "volume.kubernetes.io/node-expansion-not-required";
  private static final Quantity TWO = Quantity.of("2Gi");
  private static final Volume VOLUME = ProvisionedClaim.volume("c", "u");

  private final Set<Kind<?>> conflicting = new HashSet<>();

  private final List<String> writes = new ArrayList<>();

  private final FaultyCluster server =
      new FaultyCluster()
          .onWrite(request -> {
            writes.add(request.kind().kind() + " " + request.document().members());
            if (conflicting.contains(request.kind())) {
              return new WriteResult.Conflict<>("changed");
            }
            return new WriteResult.Written<>(
                request.kind().equals(Kind.CLAIM) ? ProvisionedClaim.CLAIM : VOLUME);
          });

  private ExpansionWriter writer(ExpansionPolicy policy) {
    return new ExpansionWriter(server, new SimTime(), policy);
  }

  private static Stream<ExpansionPolicy> policies() {
    return Stream.of(ExpansionPolicy.IN_TREE, ExpansionPolicy.SIDECAR);
  }

  private String last() {
    return writes.getLast();
  }

  @Test
  void begin_byPolicy_recordsTargetSize() throws InterruptedException {
    writer(ExpansionPolicy.IN_TREE).startExpansion(ProvisionedClaim.CLAIM, TWO, "disks");
    assertThat(last())
        .contains("allocatedResources={storage=2Gi}", "{storage=ControllerResizeInProgress}")
        .contains("volume.kubernetes.io/storage-resizer=disks", "type=Resizing")
        .doesNotContain(NO_NODE_EXPANSION);
    writer(ExpansionPolicy.SIDECAR).startExpansion(ProvisionedClaim.CLAIM, TWO, "");
    assertThat(last())
        .contains("allocatedResources={storage=2Gi}", "{storage=ControllerResizeInProgress}")
        .contains(NO_NODE_EXPANSION + "=null", "type=Resizing")
        .doesNotContain("storage-resizer");
    writer(ExpansionPolicy.SIDECAR).resumeExpansion(ProvisionedClaim.CLAIM, TWO);
    assertThat(last())
        .contains("allocatedResources={storage=2Gi}", "type=Resizing")
        .doesNotContain("allocatedResourceStatuses");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void grown_withoutNodeExpansion_writesVolumeThenClaim(ExpansionPolicy policy)
      throws InterruptedException {
    assertThat(writer(policy).recordGrowth(ProvisionedClaim.CLAIM, VOLUME, TWO, false))
        .isEqualTo(new ExpansionResult.Written());
    assertThat(writes).hasSize(2);
    assertThat(writes.getFirst())
        .startsWith("PersistentVolume ")
        .contains("capacity={storage=2Gi}")
        .doesNotContain(ResizeConditions.PRE_RESIZE);
    assertThat(last())
        .startsWith("PersistentVolumeClaim ")
        .contains("capacity={storage=2Gi}", "allocatedResourceStatuses={storage=null}");
    assertThat(last().contains(NO_NODE_EXPANSION + "=true"))
        .isEqualTo(policy.nodeFlag() == ExpansionPolicy.NodeFlag.WRITTEN);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void grown_withNodeExpansion_storesPreviousCapacity(ExpansionPolicy policy)
      throws InterruptedException {
    writer(policy).recordGrowth(ProvisionedClaim.CLAIM, VOLUME, TWO, true);
    assertThat(writes.getFirst()).contains(ResizeConditions.PRE_RESIZE + "=0");
    assertThat(last())
        .contains("{storage=NodeResizePending}", "type=FileSystemResizePending")
        .doesNotContain("capacity=");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void grown_conflict_returnsUnwritten(ExpansionPolicy policy) throws InterruptedException {
    conflicting.add(Kind.CLAIM);
    assertThat(writer(policy).recordGrowth(ProvisionedClaim.CLAIM, VOLUME, TWO, false))
        .isEqualTo(
            new ExpansionResult.Unwritten(
                "writing the capacity of claim " + ProvisionedClaim.CLAIM.key(),
                new WriteResult.Conflict<>("changed")));
    conflicting.add(Kind.VOLUME);
    writes.clear();
    assertThat(writer(policy).recordGrowth(ProvisionedClaim.CLAIM, VOLUME, TWO, true))
        .isEqualTo(
            new ExpansionResult.Unwritten(
                "writing the size of volume " + VOLUME.meta().name(),
                new WriteResult.Conflict<>("changed")));
    assertThat(writes).as("the claim is not writes").hasSize(1);
  }

  @Test
  void refused_infeasibleOrNot_recordsErrorAndState() throws InterruptedException {
    writer(ExpansionPolicy.SIDECAR).recordFailure(ProvisionedClaim.CLAIM, "too large", true);
    assertThat(last())
        .contains("{storage=ControllerResizeInfeasible}", "type=ControllerResizeError")
        .contains("message=too large");
    writer(ExpansionPolicy.SIDECAR).recordFailure(ProvisionedClaim.CLAIM, "away", false);
    assertThat(last()).doesNotContain("allocatedResourceStatuses");
  }

  // A conflict must not cause a second call to the driver.
  @Test
  void reports_custom_receiveEachReport() throws InterruptedException {
    List<Claim> reported = new ArrayList<>();
    ExpansionWriter writer =
        new ExpansionWriter(
            server,
            new SimTime(),
            ExpansionPolicy.SIDECAR,
            (claim, report) -> {
              reported.add(claim);
              return new WriteResult.Written<>(claim);
            });
    writer.startExpansion(ProvisionedClaim.CLAIM, TWO, "");
    assertThat(reported).isEmpty();
    writer.recordGrowth(ProvisionedClaim.CLAIM, VOLUME, TWO, false);
    writer.recordGrowth(ProvisionedClaim.CLAIM, VOLUME, TWO, true);
    writer.recordFailure(ProvisionedClaim.CLAIM, "no", false);
    assertThat(reported).hasSize(3);
  }
}
