package dev.mooring.manager.undo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeUndoTest {
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");
  private static final String MANIFEST =
      "{\"metadata\":{\"name\":\"data\",\"namespace\":\"shop\",\"uid\":\"%s\",\"labels\":{\"app\":\"db\"}},\"spec\":{\"accessModes\":[\"ReadWriteOnce\"],\"storageClassName\":\"fast\",\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}";

  private static final String CRASH = "the process has ended";

  private final SimTime time = new SimTime();
  private final FaultyCluster cluster =
      new FaultyCluster()
          .onWrite(this::crash)
          .onRead(request -> request.verb() == Verb.GET_WHOLE ? namespaceAnswer() : null);
  private final InMemoryCluster server = cluster.cluster();
  private int crashingWrite = -1;
  private boolean crashesAfterWrite;
  private ReadResult<Map<String, Object>> namespace = new ReadResult.Found<>(Map.of());

  private final VolumeUndo undo = new VolumeUndo(cluster, cluster, cluster, time);

  private ReadResult<Map<String, Object>> namespaceAnswer() {
    return namespace;
  }

  private @Nullable WriteResult<?> crash(Request request) {
    if (cluster.writes().size() - 1 != crashingWrite) {
      return null;
    }
    crashingWrite = -1;
    if (crashesAfterWrite && request.verb() == Verb.CREATE) {
      server.create(request.kind(), request.key(), request.document());
    } else if (crashesAfterWrite) {
      server.patch(request.kind(), request.key(), request.document());
    }
    throw new IllegalStateException(CRASH);
  }

  private List<String> writes() {
    return cluster.writes().stream().map(request -> request.verb().toString()).toList();
  }

  private Volume condemn(UnaryOperator<VolumeBuilder> change) {
    return server.put(
        Kind.VOLUME,
        change
            .apply(
                TestObjects.volume(VOLUME)
                    .storage("1Gi")
                    .storageClass("fast")
                    .claimRef(CLAIM, "u")
                    .reclaimPolicy(ReclaimPolicy.DELETE)
                    .phase(VolumePhase.RELEASED)
                    .annotation(Condemnation.UNTIL, time.now().plus(Duration.ofHours(1)).toString())
                    .annotation(Condemnation.CLAIM_UID, "u")
                    .annotation(Condemnation.MANIFEST, MANIFEST.formatted("u", "1Gi")))
            .build());
  }

  private Volume volume() {
    return server.get(Kind.VOLUME, VOLUME);
  }

  private void putClaim(String volumeName) {
    server.put(Kind.CLAIM, TestObjects.claim(CLAIM).uid("new").volumeName(volumeName).build());
  }

  @Test
  void run_condemnedVolume_reservesVolumeThenCreatesClaimThenClears() throws Exception {
    condemn(v -> v);
    assertThat(undo.plan(VOLUME)).isInstanceOf(UndoStep.ReserveVolume.class);
    assertThat(writes()).isEmpty();
    assertThat(undo.run(VOLUME)).isEqualTo(CLAIM);
    assertThat(writes()).containsExactly("patch", "create", "patch");
    assertThat(volume().claimRef()).isEqualTo(new ClaimRef(CLAIM, Uid.NONE));
    assertThat(volume().meta().annotations()).isEmpty();
    Claim claim = server.get(Kind.CLAIM, CLAIM);
    assertThat(claim.volumeName()).isEqualTo("v");
    assertThat(claim.meta().labels()).containsEntry("app", "db");
    assertThat(claim.className()).isEqualTo("fast");
  }

  @ParameterizedTest
  @CsvSource({"0, false", "0, true", "1, false", "1, true", "2, false", "2, true"})
  void run_crashAtWrite_keepsVolumeSafeAndIsResumed(int write, boolean afterWrite)
      throws Exception {
    condemn(v -> v);
    crashingWrite = write;
    crashesAfterWrite = afterWrite;
    assertThatThrownBy(() -> undo.run(VOLUME)).hasMessage(CRASH);
    boolean claimExists = server.read(Kind.CLAIM, CLAIM) instanceof ReadResult.Found<Claim>;
    assertThat(volume().claimRef().uid().isNone() || !claimExists)
        .as("the volume is reserved before its claim exists")
        .isTrue();
    if (write == 2 && afterWrite) {
      assertThatThrownBy(() -> undo.run(VOLUME)).hasMessageContaining("is not condemned");
    } else {
      undo.run(VOLUME);
    }
    assertThat(volume().claimRef()).isEqualTo(new ClaimRef(CLAIM, Uid.NONE));
    assertThat(volume().meta().annotations()).isEmpty();
    assertThat(writes()).hasSize(afterWrite ? 3 : 4);
  }

  @Test
  void run_reservedVolumeWasBoundMeanwhile_clearsAnnotations() throws Exception {
    putClaim("v");
    condemn(v -> v.claimRef(CLAIM, "new").phase(VolumePhase.BOUND));
    assertThat(undo.run(VOLUME)).isEqualTo(CLAIM);
    assertThat(writes()).containsExactly("patch");
    assertThat(volume().meta().annotations()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"u, 5Gi, 1Gi, db", "u, 500Mi, 500Mi, db", "earlier, 5Gi, 1Gi, -"})
  void run_manifest_isUsedForItsClaimOnly(
      String uid, String requested, String expected, String label) throws Exception {
    condemn(v -> v.annotation(Condemnation.MANIFEST, MANIFEST.formatted(uid, requested)));
    undo.run(VOLUME);
    Claim claim = server.get(Kind.CLAIM, CLAIM);
    assertThat(claim.request()).hasToString(expected);
    assertThat(claim.meta().labels().getOrDefault("app", "-")).isEqualTo(label);
    assertThat(claim.className()).isEqualTo("fast");
  }

  private void assertStopped(String message) {
    assertThatThrownBy(() -> undo.plan(VOLUME))
        .isInstanceOf(UndoStoppedException.class)
        .hasMessageContaining(message);
    assertThat(writes()).isEmpty();
  }

  @Test
  void plan_obstacle_stopsWithoutWrite() {
    assertStopped("volume v does not exist");
    condemn(v -> v.noClaimRef());
    assertStopped("has no claim in its claimRef");
    condemn(v -> v.deleting());
    assertStopped("PersistentVolume v itself is being deleted");
    condemn(
        v -> v.status(new Volume.Status(VolumePhase.RELEASED, "", BinderMarks.BEING_DESTROYED)));
    assertStopped("a plugin may be destroying the storage");
    condemn(v -> v.claimRef(CLAIM, "another"));
    assertStopped("volume v is not condemned, its phase is Released");
    condemn(v -> v);
    namespace = new ReadResult.Absent<>();
    assertStopped("namespace shop does not exist: run 'kubectl create namespace shop'");
    namespace = new ReadResult.Found<>(Map.of("metadata", Map.of("deletionTimestamp", "t")));
    assertStopped("namespace shop is being deleted");
    namespace = new ReadResult.Found<>(Map.of());
    putClaim("");
    assertStopped("claim shop/data exists already: delete it");
    time.advance(Duration.ofHours(1));
    assertStopped("the deadline of volume v was");
  }

  @Test
  void findVolumes_listForbidden_namesRemedy() {
    condemn(v -> v);
    cluster.forbid(Kind.VOLUME);
    assertThatThrownBy(() -> undo.findVolumes("shop"))
        .isInstanceOf(UndoStoppedException.class)
        .hasMessageStartingWith("the volumes cannot be listed: ")
        .hasMessageEndingWith(
            ": repeat the command with the right to list persistentvolumes, or name the volume: pv/NAME");
    assertThat(writes()).isEmpty();
  }

  @Test
  void findVolumes_namespace_returnsItsCondemnedVolumes() throws Exception {
    condemn(v -> v);
    server.put(
        Kind.VOLUME,
        TestObjects.volume("w").claimRef(CLAIM, "u").phase(VolumePhase.RELEASED).build());
    assertThat(undo.findVolumes("shop")).containsExactly(VOLUME);
    assertThat(undo.findVolumes("other")).isEmpty();
  }
}
