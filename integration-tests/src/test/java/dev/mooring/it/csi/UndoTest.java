package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.CommandResult;
import dev.mooring.it.CrashingWrites;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.manager.undo.VolumeUndo;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests delayed deletions and {@code mooring undo} with all controllers and storages. */
@Timeout(900)
class UndoTest extends UndoFixture {
  private static final int DELETIONS = Integer.getInteger("mooring.undo.deletions", 9);
  private static final long SEED = Long.getLong("mooring.undo.seed", 1L);

  @Test
  void undo_seededDeletions_restoresClaimsWithContent() throws Exception {
    Random random = new Random(SEED);
    startManager("--deletion-delay=72h");
    Map<String, String> volumes = new TreeMap<>();
    for (int i = 0; i < DELETIONS; i++) {
      createClaim("data-" + i, CLASSES.get(i < 3 ? i : random.nextInt(CLASSES.size())));
    }
    awaitBound(DELETIONS);
    for (int i = 0; i < DELETIONS; i++) {
      volumes.put("data-" + i, volumeOf("data-" + i));
    }
    Map<String, byte[]> contents = fillVolumes(random);
    for (String claim : volumes.keySet()) {
      cluster.delete(KindCatalogue.CLAIMS, claim);
    }
    awaitCondemned(DELETIONS);
    CommandResult result = undo("-n", "default");
    assertThat(result.errors()).isEmpty();
    assertThat(result.lines()).hasSize(DELETIONS);
    awaitBound(DELETIONS);
    assertThat(readVolumes()).usingRecursiveComparison().isEqualTo(contents);
    for (JsonObject claim : list(KindCatalogue.CLAIMS)) {
      String name = JsonBodies.textAt(claim, "metadata", "name");
      assertThat(volumeOf(name)).isEqualTo(volumes.get(name));
      assertThat(JsonBodies.textAt(claim, "metadata", "labels", "app")).isEqualTo(name);
      assertThat(JsonBodies.textAt(claim, "metadata", "annotations", "note"))
          .isEqualTo("of " + name);
    }
    assertThat(list(KindCatalogue.VOLUMES))
        .allMatch(volume -> annotation(volume, "condemned-until").isEmpty());
    List<Path> paths = contentPaths();
    for (String claim : volumes.keySet()) {
      cluster.delete(KindCatalogue.CLAIMS, claim);
    }
    awaitCondemned(DELETIONS);
    for (String volume : volumes.values()) {
      annotate(volume, "condemned-until", "2026-01-01T00:00:00Z");
    }
    cluster.await("volumes are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
    assertThat(paths).noneMatch(Files::exists);
    assertThat(store.offences()).isEmpty();
  }

  /** Deletes claims of all classes; their volumes are condemned. */
  private Map<String, String> condemnVolumes() throws Exception {
    startManager("--deletion-delay=72h");
    Map<String, String> volumes = new TreeMap<>();
    for (String className : CLASSES) {
      createClaim(className, className);
    }
    awaitBound(CLASSES.size());
    fillVolumes(new Random(SEED));
    for (String claim : CLASSES) {
      volumes.put(claim, volumeOf(claim));
      cluster.delete(KindCatalogue.CLAIMS, claim);
    }
    awaitCondemned(CLASSES.size());
    return volumes;
  }

  @Test
  void condemnedVolumes_leaderWithoutOption_keepsThemUntilDeadline() throws Exception {
    Map<String, String> volumes = condemnVolumes();
    Map<String, byte[]> contents = readVolumes();
    stopManager();
    startManager();
    createClaim("other", "host");
    cluster.await("claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
    cluster.delete(KindCatalogue.CLAIMS, "other");
    cluster.await(
        "volume without delay is deleted",
        () -> list(KindCatalogue.VOLUMES).size() == CLASSES.size());
    awaitIdle();
    assertThat(readVolumes()).usingRecursiveComparison().isEqualTo(contents);
    for (String volume : volumes.values()) {
      annotate(volume, "condemned-until", Instant.now().minusSeconds(1).toString());
    }
    cluster.await("volumes are deleted", () -> cluster.isEmpty(KindCatalogue.VOLUMES));
  }

  @Test
  void undo_withoutManifest_restoresClaimsFromVolumes() throws Exception {
    Map<String, String> volumes = condemnVolumes();
    Map<String, byte[]> contents = readVolumes();
    for (String volume : volumes.values()) {
      update(
          volume,
          tree ->
              tree.getAsJsonObject("metadata")
                  .getAsJsonObject("annotations")
                  .remove("mooring.dev/deleted-claim"));
      assertThat(explain("pv/" + volume)).contains("Condemned", "mooring undo pv/" + volume);
    }
    assertThat(undo("pv/" + volumes.get("host"), "--dry-run").out())
        .contains("claim default/host would be restored", "nothing was written");
    assertThat(undo("-n", "default").errors()).isEmpty();
    awaitBound(volumes.size());
    assertThat(readVolumes()).usingRecursiveComparison().isEqualTo(contents);
    volumes.forEach((claim, volume) -> assertThat(volumeOf(claim)).isEqualTo(volume));
    assertThat(list(KindCatalogue.EVENTS))
        .filteredOn(event -> JsonBodies.textAt(event, "reason").equals("VolumeCondemned"))
        .hasSize(volumes.size());
  }

  /** The command ends before or after each of its writes, while the controllers run. */
  @Test
  void undo_crashAtEachWrite_isResumedWithContent() throws Exception {
    startManager("--deletion-delay=72h");
    int claims = 6;
    for (int i = 0; i < claims; i++) {
      createClaim("data-" + i, CLASSES.get(i % CLASSES.size()));
    }
    awaitBound(claims);
    Map<String, byte[]> contents = fillVolumes(new Random(SEED));
    List<ObjectKey> volumes = new ArrayList<>();
    for (int i = 0; i < claims; i++) {
      volumes.add(ObjectKey.cluster(volumeOf("data-" + i)));
      cluster.delete(KindCatalogue.CLAIMS, "data-" + i);
    }
    awaitCondemned(claims);
    for (int i = 0; i < claims; i++) {
      ObjectKey volume = volumes.get(i);
      VolumeUndo interrupted = undoWithCrash(1 + i / 2, i % 2 == 0);
      assertThatThrownBy(() -> interrupted.run(volume)).hasMessage(CrashingWrites.CRASH);
    }
    awaitIdle();
    assertThat(readVolumes()).usingRecursiveComparison().isEqualTo(contents);
    CommandResult result = undo("-n", "default");
    assertThat(result.code()).as(result.output()).isZero();
    awaitBound(claims);
    assertThat(readVolumes()).usingRecursiveComparison().isEqualTo(contents);
  }

  /** Returns an undo whose process ends at the write of that number, from 1. */
  private VolumeUndo undoWithCrash(int number, boolean beforeWrite) throws Exception {
    Time time = new SystemTime();
    KubeConnection connection = KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test");
    KubeCluster server = KubeCluster.alone(connection, time);
    CrashingWrites writes = new CrashingWrites(number, beforeWrite);
    return new VolumeUndo(
        server, writes.of(server), writes.of(new WholeObjectWriter(connection)), time);
  }

  @Test
  void undo_impossible_printsOneLineAndWritesNothing() throws Exception {
    Map<String, String> volumes = condemnVolumes();
    String host = volumes.get("host");
    String deletedVolume = volumes.get("now");
    createClaim("host", "host");
    cluster.await("claim is bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 1);
    cluster.delete(KindCatalogue.VOLUMES, deletedVolume);
    awaitIdle();
    stopManager();
    assertFailure("pv/absent", "volume absent does not exist");
    assertFailure("claim/x", "does not name a volume: specify pv/NAME");
    assertFailure("pv/" + host, "claim default/host exists already with volume pvc-");
    assertFailure("pv/" + volumeOf("host"), "is not condemned, its phase is Bound");
    assertFailure(
        "pv/" + deletedVolume, "PersistentVolume " + deletedVolume + " itself is being deleted");
    annotate(host, "condemned-until", "2026-01-01T00:00:00Z");
    assertFailure("pv/" + host, "the deadline of volume " + host + " was 2026-01-01T00:00:00Z");
    CommandResult ofNamespace =
        CommandResult.ofCommand("undo", "--kubeconfig=" + cluster.kubeconfig(), "-n", "elsewhere");
    assertThat(ofNamespace.code()).isEqualTo(1);
    assertThat(ofNamespace.lines())
        .singleElement()
        .asString()
        .contains("no volume of namespace elsewhere is condemned");
  }

  @Test
  void undo_creationRefused_continuesWithOtherClaims() throws Exception {
    Map<String, String> volumes = condemnVolumes();
    stopManager();
    cluster.create(
        KindCatalogue.QUOTAS,
        """
        {"metadata": {"name": "one"}, "spec": {"hard": {"persistentvolumeclaims": "1"}}}
        """);
    cluster
        .handlers()
        .update(
            KindCatalogue.QUOTAS,
            "default",
            "one",
            WriteOptions.STATUS,
            quota -> {
              JsonBodies.getOrAddChild(quota, "status", "hard")
                  .addProperty("persistentvolumeclaims", "1");
              return quota;
            });
    CommandResult result = undo("-n", "default");
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    JsonObject restored = list(KindCatalogue.CLAIMS).getFirst();
    assertThat(list(KindCatalogue.CLAIMS)).hasSize(1);
    volumes.remove(JsonBodies.textAt(restored, "metadata", "name"));
    assertThat(result.errors().lines())
        .hasSize(volumes.size())
        .allMatch(line -> line.contains("exceeded quota"));
    assertThat(result.errors()).contains(volumes.values());
  }

  private void assertFailure(String object, String message) {
    String before = list(KindCatalogue.VOLUMES) + "" + list(KindCatalogue.CLAIMS);
    CommandResult result = undo(object);
    assertThat(result.code()).as(result.output()).isNotZero();
    assertThat(result.lines()).first().asString().contains(message);
    assertThat(list(KindCatalogue.VOLUMES) + "" + list(KindCatalogue.CLAIMS)).isEqualTo(before);
  }
}
