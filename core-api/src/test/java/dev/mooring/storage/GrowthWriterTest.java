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

/** What is written while a volume grows, in which order, by both policies. */
class GrowthWriterTest {
  private static final String NO_NODE = "volume.kubernetes.io/node-expansion-not-required";
  private static final Quantity TWO = Quantity.of("2Gi");
  private static final Volume VOLUME = Made.volume("c", "u");

  private final Set<Kind<?>> refused = new HashSet<>();

  /** What was written, in order. */
  private final List<String> written = new ArrayList<>();

  private final FaultyCluster server =
      new FaultyCluster()
          .onWrite(request -> {
            written.add(request.kind().kind() + " " + request.document().members());
            if (refused.contains(request.kind())) {
              return new WriteResult.Conflict<>("changed");
            }
            return new WriteResult.Written<>(
                request.kind().equals(Kind.CLAIM) ? Made.CLAIM : VOLUME);
          });

  private GrowthWriter writer(GrowthPolicy policy) {
    return new GrowthWriter(server, new SimTime(), policy);
  }

  private static Stream<GrowthPolicy> policies() {
    return Stream.of(GrowthPolicy.IN_TREE, GrowthPolicy.SIDECAR);
  }

  private String last() {
    return written.getLast();
  }

  @Test
  void theClaimSaysWhatItIsGoingToBeGiven() throws InterruptedException {
    writer(GrowthPolicy.IN_TREE).begin(Made.CLAIM, TWO, "disks");
    assertThat(last())
        .contains("allocatedResources={storage=2Gi}", "{storage=ControllerResizeInProgress}")
        .contains("volume.kubernetes.io/storage-resizer=disks", "type=Resizing")
        .doesNotContain(NO_NODE);
    writer(GrowthPolicy.SIDECAR).begin(Made.CLAIM, TWO, "");
    assertThat(last())
        .contains("allocatedResources={storage=2Gi}", "{storage=ControllerResizeInProgress}")
        .contains(NO_NODE + "=null", "type=Resizing")
        .doesNotContain("storage-resizer");
    writer(GrowthPolicy.SIDECAR).beginAgain(Made.CLAIM, TWO);
    assertThat(last())
        .contains("allocatedResources={storage=2Gi}", "type=Resizing")
        .doesNotContain("allocatedResourceStatuses");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theVolumeComesFirstAndThenTheClaim(GrowthPolicy policy) throws InterruptedException {
    assertThat(writer(policy).grown(Made.CLAIM, VOLUME, TWO, false))
        .isEqualTo(new GrowthResult.Written());
    assertThat(written).hasSize(2);
    assertThat(written.getFirst())
        .startsWith("PersistentVolume ")
        .contains("capacity={storage=2Gi}")
        .doesNotContain(ResizeConditions.PRE_RESIZE);
    assertThat(last())
        .startsWith("PersistentVolumeClaim ")
        .contains("capacity={storage=2Gi}", "allocatedResourceStatuses=null");
    assertThat(last().contains(NO_NODE + "=true"))
        .isEqualTo(policy.flag() == GrowthPolicy.NodeFlag.WRITTEN);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theVolumeRemembersWhatTheClaimHadUntilANodeHasDoneItsPart(GrowthPolicy policy)
      throws InterruptedException {
    writer(policy).grown(Made.CLAIM, VOLUME, TWO, true);
    assertThat(written.getFirst()).contains(ResizeConditions.PRE_RESIZE + "=0");
    assertThat(last())
        .contains("{storage=NodeResizePending}", "type=FileSystemResizePending")
        .doesNotContain("capacity=");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whatWasNotWrittenIsSaid(GrowthPolicy policy) throws InterruptedException {
    refused.add(Kind.CLAIM);
    assertThat(writer(policy).grown(Made.CLAIM, VOLUME, TWO, false))
        .isEqualTo(
            new GrowthResult.Unwritten(
                "writing how large claim " + Made.CLAIM.key() + " is",
                new WriteResult.Conflict<>("changed")));
    refused.add(Kind.VOLUME);
    written.clear();
    assertThat(writer(policy).grown(Made.CLAIM, VOLUME, TWO, true))
        .isEqualTo(
            new GrowthResult.Unwritten(
                "writing the size of volume " + VOLUME.meta().name(),
                new WriteResult.Conflict<>("changed")));
    assertThat(written).as("the claim says nothing that the volume does not").hasSize(1);
  }

  @Test
  void whatTheStorageRefusedIsSaidAndPerhapsThatItIsForGood() throws InterruptedException {
    writer(GrowthPolicy.SIDECAR).refused(Made.CLAIM, "too large", true);
    assertThat(last())
        .contains("{storage=ControllerResizeInfeasible}", "type=ControllerResizeError")
        .contains("message=too large");
    writer(GrowthPolicy.SIDECAR).refused(Made.CLAIM, "away", false);
    assertThat(last()).doesNotContain("allocatedResourceStatuses");
  }

  /** Whoever asks a driver does not ask again because of a conflict. */
  @Test
  void reportsAreWrittenAsTheirOwnerWantsIt() throws InterruptedException {
    List<Claim> reported = new ArrayList<>();
    GrowthWriter writer =
        new GrowthWriter(
            server,
            new SimTime(),
            GrowthPolicy.SIDECAR,
            (claim, report) -> {
              reported.add(claim);
              return new WriteResult.Written<>(claim);
            });
    writer.begin(Made.CLAIM, TWO, "");
    assertThat(reported).isEmpty();
    writer.grown(Made.CLAIM, VOLUME, TWO, false);
    writer.grown(Made.CLAIM, VOLUME, TWO, true);
    writer.refused(Made.CLAIM, "no", false);
    assertThat(reported).hasSize(3);
  }
}
