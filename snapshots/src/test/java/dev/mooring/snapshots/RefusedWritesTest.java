package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The API server refuses a write without which no snapshot is created. */
class RefusedWritesTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final ObjectKey SNAPSHOT = new ObjectKey("default", "s");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final StepwiseController steps = GivenSnapshotController.create(server, time, false);

  @BeforeEach
  void createSnapshot() {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("pv")
                .source(VolumeSource.csi(DRIVER, "vol-1"))
                .claimRef(new ClaimRef(CLAIM, TestObjects.claim(CLAIM).meta().uid()))
                .build());
    cluster.put(Kind.CLAIM, TestObjects.claim(CLAIM).boundTo(volume).build());
    cluster.put(
        Kind.SNAPSHOT_CLASS,
        TestObjects.snapshotClass("fast").driver(DRIVER).policy(ReclaimPolicy.DELETE).build());
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(SNAPSHOT.namespace(), SNAPSHOT.name())
            .uid("s-uid")
            .sourceClaim(CLAIM.name())
            .className("fast")
            .build());
  }

  private void refuse(Kind<?> kind) {
    server.onWrite(request ->
        request.kind().equals(kind) ? new WriteResult.Rejected<>(403, "a policy") : null);
  }

  private void waitFor(Duration duration) throws InterruptedException {
    for (long i = 0; i < duration.toSeconds(); i++) {
      time.advance(Duration.ofSeconds(1));
      steps.settle();
    }
  }

  private List<String> notes() {
    return cluster.events().stream().map(event -> event.reason() + ": " + event.note()).toList();
  }

  private String error() {
    return cluster.get(Kind.SNAPSHOT, SNAPSHOT).status().problem().message();
  }

  private boolean hasContent() {
    return cluster
        .read(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster("snapcontent-s-uid"))
        .toOptional()
        .isPresent();
  }

  @Test
  void content_refused_isReportedOnceAndRetried() throws InterruptedException {
    refuse(Kind.SNAPSHOT_CONTENT);
    steps.start();
    waitFor(Duration.ofMinutes(10));
    String expected =
        "Failed to create snapshot content with error the server refused it (403): a policy";
    assertThat(error()).isEqualTo(expected);
    assertThat(notes()).containsExactly("SnapshotContentCreationFailed: " + expected);
    server.onWrite(request -> null);
    waitFor(Duration.ofMinutes(20));
    assertThat(hasContent()).isTrue();
    assertThat(error()).isEmpty();
  }

  @Test
  void claimFinalizer_refused_isReportedOnceAndRetried() throws InterruptedException {
    refuse(Kind.CLAIM);
    steps.start();
    waitFor(Duration.ofMinutes(10));
    String expected =
        "Failed to protect the source claim a with error the server refused it (403): a policy";
    assertThat(error()).isEqualTo(expected);
    assertThat(notes()).containsExactly("SnapshotContentCreationFailed: " + expected);
    server.onWrite(request -> null);
    waitFor(Duration.ofMinutes(20));
    assertThat(hasContent()).isTrue();
    assertThat(error()).isEmpty();
  }
}
