package dev.mooring.expander.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.expander.ExpandableClaims;
import dev.mooring.expander.decide.ExpandDecision;
import dev.mooring.expander.state.GrowerFinder.VolumeGrower;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Writes, events and plugin calls of an expansion, in order. */
class VolumeGrowthTest {
  private final SimTime time = new SimTime();
  private final List<String> steps = new ArrayList<>();
  private final LinkedBlockingQueue<ObjectKey> requeuedClaims = new LinkedBlockingQueue<>();
  private final OperationStats stats = new OperationStats();
  private boolean rejectsWrites;
  private final FaultyCluster server =
      new FaultyCluster()
          .onWrite(request -> {
            recordStep(request.kind() + " " + request.document().members());
            return rejectsWrites ? new WriteResult.Conflict<>("changed") : null;
          });
  private final Claim claim =
      server.cluster().put(Kind.CLAIM, ExpandableClaims.claim("2Gi", "1Gi"));
  private final ClusterPorts ports =
      TestPorts.of(server, e -> recordStep(e.reason() + ": " + e.note()), time);
  private final ResizeReporter reporter = new ResizeReporter(ports.events());
  private final ExpandExecutor executor =
      new ExpandExecutor(
          ports,
          reporter,
          new VolumeGrowth(ports, reporter, stats, Compat.MOORING, requeuedClaims::add));

  private synchronized void recordStep(String step) {
    steps.add(step);
  }

  private synchronized List<String> recordedSteps() {
    return List.copyOf(steps);
  }

  private void grow(VolumeMode mode, String mark, Attempt<Expander.Expanded> answer)
      throws InterruptedException {
    executor.execute(
        claim,
        storeVolume(ExpandableClaims.volume(ExpandableClaims.FLEX, "1Gi", mode, mark)),
        Optional.of(
            new VolumeGrower(
                "example.com/flex",
                request -> {
                  recordStep(
                      "expand from " + request.currentSize() + " to " + request.requestedSize());
                  return answer;
                })),
        new ExpandDecision.Grow(Quantity.of("2Gi")));
  }

  /** Returns the volume as the API server has it. */
  private Volume storeVolume(Volume volume) {
    InMemoryCluster cluster = server.cluster();
    return cluster.read(Kind.VOLUME, volume.key())
            instanceof ReadResult.Found<Volume>(Volume storedVolume)
        ? storedVolume
        : cluster.put(Kind.VOLUME, volume);
  }

  private static Attempt<Expander.Expanded> createAnswer(String size) {
    return Attempt.done(new Expander.Expanded(Quantity.of(size), true));
  }

  private void awaitEnd() {
    TestWait.until("it is over", executor::isQuiet);
    assertThat(requeuedClaims).as("its writes requeue the claim").isEmpty();
  }

  private void awaitBackOff() {
    TestWait.until("it waits for its time", () -> time.pendingTimers() > 0);
  }

  @Test
  void grow_fileSystemVolume_writesEachStepBeforeTheNext() throws InterruptedException {
    grow(VolumeMode.FILESYSTEM, "", createAnswer("2Gi"));
    awaitEnd();
    assertThat(recordedSteps()).hasSize(4);
    assertThat(recordedSteps().get(0))
        .contains("ControllerResizeInProgress", "allocatedResources={storage=2Gi}", "type=Resizing")
        .contains("storage-resizer=example.com/flex", "resourceVersion=1");
    assertThat(recordedSteps().get(1)).isEqualTo("expand from 1Gi to 2Gi");
    assertThat(recordedSteps().get(2))
        .contains("capacity={storage=2Gi}", ExpandableClaims.MARK + "=1Gi");
    assertThat(recordedSteps().get(3))
        .contains("NodeResizePending", "type=FileSystemResizePending");
    assertThat(stats.read()).singleElement().matches(d -> d.labels().succeeded());
  }

  @Test
  void grow_blockVolume_endsWithoutNodeExpansion() throws InterruptedException {
    grow(VolumeMode.BLOCK, "", createAnswer("3Gi"));
    awaitEnd();
    assertThat(recordedSteps().get(2))
        .contains("capacity={storage=3Gi}")
        .doesNotContain(ExpandableClaims.MARK);
    assertThat(recordedSteps().get(3))
        .contains(
            "capacity={storage=3Gi}",
            "allocatedResourceStatuses={storage=null}",
            "conditions=null");
    assertThat(recordedSteps().get(4)).startsWith("VolumeResizeSuccessful");
  }

  @Test
  void grow_volumeHasAnnotation_keepsIt() throws InterruptedException {
    grow(VolumeMode.FILESYSTEM, "512Mi", createAnswer("2Gi"));
    awaitEnd();
    assertThat(recordedSteps().get(2)).doesNotContain(ExpandableClaims.MARK);
  }

  /**
   * A node gave up. When it is asked again, the volume must still have its capacity before the
   * expansion.
   */
  @Test
  void requestNodeExpansion_noAnnotation_annotatesVolumeFirst() throws InterruptedException {
    requestNodeExpansion("");
    assertThat(recordedSteps()).hasSize(2);
    assertThat(recordedSteps().get(0))
        .startsWith("PersistentVolume ")
        .contains(ExpandableClaims.MARK + "=1Gi")
        .doesNotContain("spec=");
    assertThat(recordedSteps().get(1))
        .contains("NodeResizePending", "type=FileSystemResizePending");
  }

  @Test
  void requestNodeExpansion_volumeHasAnnotation_keepsIt() throws InterruptedException {
    requestNodeExpansion("512Mi");
    assertThat(recordedSteps()).singleElement().asString().contains("NodeResizePending");
  }

  private void requestNodeExpansion(String mark) throws InterruptedException {
    executor.execute(
        server
            .cluster()
            .put(
                Kind.CLAIM,
                ExpandableClaims.claim("2Gi", "1Gi", "2Gi", Claim.ResizeState.NODE_INFEASIBLE)),
        storeVolume(
            ExpandableClaims.volume(ExpandableClaims.FLEX, "2Gi", VolumeMode.FILESYSTEM, mark)),
        Optional.empty(),
        new ExpandDecision.RequestNodeExpansion());
  }

  @Test
  void grow_volumeLargerThanAnswer_keepsItsCapacity() throws InterruptedException {
    storeVolume(ExpandableClaims.volume(ExpandableClaims.FLEX, "5Gi", VolumeMode.FILESYSTEM, ""));
    grow(VolumeMode.FILESYSTEM, "", createAnswer("2Gi"));
    awaitEnd();
    assertThat(recordedSteps().get(2)).contains("capacity={storage=5Gi}");
  }

  /** Otherwise the claim would count as grown, and never get its size. */
  @Test
  void grow_answerBelowRequest_emitsEventAndBacksOff() throws InterruptedException {
    grow(VolumeMode.BLOCK, "", createAnswer("1536Mi"));
    awaitBackOff();
    assertThat(recordedSteps())
        .last()
        .isEqualTo(
            "VolumeResizeFailed: error expanding pvc ns/c: example.com/flex expanded the volume to"
                + " 1536Mi, less than 2Gi");
    assertThat(recordedSteps()).noneMatch(step -> step.startsWith("PersistentVolume "));
    time.advance(Duration.ofSeconds(1));
    assertThat(requeuedClaims.poll(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo(ExpandableClaims.KEY);
  }

  @Test
  void grow_failure_emitsEventAndBacksOff() throws InterruptedException {
    grow(VolumeMode.FILESYSTEM, "", new Attempt.Failed<>(new Failure.Unreachable("backend down")));
    awaitBackOff();
    assertThat(recordedSteps())
        .last()
        .isEqualTo("VolumeResizeFailed: error expanding pvc ns/c: backend down");
    assertThat(requeuedClaims).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(requeuedClaims.poll(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo(ExpandableClaims.KEY);
  }

  @Test
  void grow_pluginRejects_isNotRepeatedUnchanged() throws InterruptedException {
    grow(VolumeMode.FILESYSTEM, "", Attempt.rejected("it cannot grow"));
    awaitEnd();
    int stepCount = recordedSteps().size();
    time.advance(Duration.ofMinutes(59));
    grow(VolumeMode.FILESYSTEM, "", Attempt.rejected("it cannot grow"));
    awaitEnd();
    assertThat(recordedSteps()).hasSize(stepCount);
  }

  /** Otherwise the refused size would be requested again, whatever the claim requests. */
  @Test
  void grow_pluginRejects_recordsThatTheSizeIsRefused() throws InterruptedException {
    grow(VolumeMode.FILESYSTEM, "", Attempt.rejected("at most 1Gi"));
    awaitEnd();
    assertThat(recordedSteps()).hasSize(4);
    assertThat(recordedSteps().get(2))
        .contains("ControllerResizeInfeasible", "type=ControllerResizeError")
        .contains("failed to expand pvc with at most 1Gi");
    assertThat(recordedSteps().get(3)).startsWith("VolumeResizeFailed");
  }

  @Test
  void grow_claimWriteFails_doesNotCallPlugin() throws InterruptedException {
    rejectsWrites = true;
    grow(VolumeMode.FILESYSTEM, "", createAnswer("2Gi"));
    awaitBackOff();
    assertThat(recordedSteps()).singleElement().asString().startsWith("PersistentVolumeClaim");
  }
}
