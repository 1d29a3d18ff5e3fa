package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.CommandResult;
import dev.mooring.it.CrashingWrites;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.WholeObjectWriter;
import dev.mooring.manager.undo.SnapshotUndo;
import dev.mooring.model.ObjectKey;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.SnapshotStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests {@code mooring undo} with snapshots whose deletion is delayed. */
@Isolated("replaces the standard streams")
class SnapshotUndoTest extends SnapshotFixture {
  private static final int WRITES = 5;

  private ReferenceDriver driver;

  @BeforeEach
  void startDriver() throws Exception {
    driver =
        cluster.startDriver(
            Settings.of(
                CsiCluster.DRIVER,
                DriverCapability.CONTROLLER_SERVICE,
                DriverCapability.CREATE_DELETE_VOLUME,
                DriverCapability.CREATE_DELETE_SNAPSHOT,
                DriverCapability.LIST_SNAPSHOTS));
    SnapshotResources.install(cluster.handlers());
    createSnapshotClass("goes", "Delete", true);
    startManager("--deletion-delay=72h", "--feature-gates=CSIVolumeGroupSnapshot=false");
    createBoundClaim("data", "");
  }

  @AfterEach
  void stopDriver() throws Exception {
    driver.close();
  }

  /** Deletes that many snapshots, and returns the names of their contents. */
  private List<String> condemnSnapshots(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      createSnapshot("s" + i, "data", "goes");
    }
    cluster.await(
        "snapshots are ready",
        () ->
            listObjects(snapshotType()).size() == count
                && listObjects(snapshotType()).stream()
                    .allMatch(s -> JsonBodies.textAt(s, "status", "readyToUse").equals("true")));
    List<String> contents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      contents.add(textOf(snapshotType(), "s" + i, "status", "boundVolumeSnapshotContentName"));
      cluster.delete(snapshotType(), "s" + i);
    }
    cluster.await("snapshots are gone", () -> cluster.isEmpty(snapshotType()));
    assertThat(listObjects(contentType()))
        .hasSize(count)
        .allSatisfy(content -> {
          assertThat(annotation(content, "condemned-until")).isNotEmpty();
          assertThat(annotation(content, "deleted-snapshot")).contains("goes");
        });
    return contents;
  }

  private static String annotation(JsonObject object, String name) {
    return JsonBodies.textAt(object, "metadata", "annotations", "mooring.dev/" + name);
  }

  private CommandResult undo(String... args) {
    List<String> all = new ArrayList<>(List.of("undo", "--kubeconfig=" + cluster.kubeconfig()));
    all.addAll(List.of(args));
    return CommandResult.ofCommand(all.toArray(String[]::new));
  }

  private void awaitRestored(int count, List<SnapshotStore.Cut> data) {
    cluster.await(
        "snapshots are restored",
        () ->
            listObjects(snapshotType()).stream()
                        .filter(s -> JsonBodies.textAt(s, "status", "readyToUse").equals("true"))
                        .count()
                    == count
                && listObjects(contentType()).size() == count);
    assertThat(snapshotStore.listSnapshots()).isEqualTo(data);
  }

  @Test
  void deletedSnapshots_undoAndDeadline_keepAndDestroyData() throws Exception {
    List<String> contents = condemnSnapshots(2);
    List<SnapshotStore.Cut> data = snapshotStore.listSnapshots();
    assertThat(data).hasSize(2);
    assertThat(fetchMetrics()).contains("mooring_condemned_snapshots 2.0");
    cluster.await(
        "both snapshots have an event",
        () ->
            cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
                    .filter(e -> JsonBodies.textAt(e.tree(), "reason").equals("SnapshotCondemned"))
                    .count()
                == 2);

    CommandResult dryRun = undo("vsc/" + contents.getFirst(), "--dry-run");
    assertThat(dryRun.out()).contains("snapshot default/s0 would be restored");
    CommandResult result = undo("volumesnapshotcontent/" + contents.getFirst());
    assertThat(result.out())
        .as(result.output())
        .contains("snapshot default/s0 is restored with the data of content");
    cluster.await("snapshot is ready", () -> isReady(snapshotType(), "s0"));
    restoreSnapshot("copy", "s0");
    cluster.await("claim is filled from the snapshot", () -> isBound("copy"));
    assertThat(snapshotStore.listSnapshots()).isEqualTo(data);

    endDelay(contents.getLast());
    cluster.await("data is destroyed", () -> snapshotStore.listSnapshots().size() == 1);
    assertThat(undo("vsc/" + contents.getLast()).code()).isNotZero();
  }

  private void endDelay(String content) throws Exception {
    cluster
        .handlers()
        .update(
            contentType(),
            "",
            content,
            WriteOptions.PLAIN,
            tree -> {
              tree.getAsJsonObject("metadata")
                  .getAsJsonObject("annotations")
                  .addProperty("mooring.dev/condemned-until", "2026-01-01T00:00:00Z");
              return tree;
            });
  }

  /** The command ends before or after each of its writes; the leader lacks the option. */
  @Test
  void undo_crashAtEachWrite_isResumedWithData() throws Exception {
    List<String> contents = condemnSnapshots(2 * WRITES);
    List<SnapshotStore.Cut> data = snapshotStore.listSnapshots();
    manager.stop();
    startManager("--feature-gates=CSIVolumeGroupSnapshot=false");
    for (int i = 0; i < contents.size(); i++) {
      SnapshotUndo interrupted = undoWithCrash(1 + i / 2, i % 2 == 0);
      ObjectKey content = ObjectKey.cluster(contents.get(i));
      assertThatThrownBy(() -> interrupted.run(content)).hasMessage(CrashingWrites.CRASH);
    }
    cluster.await("controllers are idle", manager::isIdle);
    assertThat(snapshotStore.listSnapshots()).isEqualTo(data);
    CommandResult result = undo("-n", "default");
    assertThat(result.code()).as(result.output()).isZero();
    awaitRestored(contents.size(), data);
  }

  /** Returns an undo whose process ends at the write of that number, from 1. */
  private SnapshotUndo undoWithCrash(int number, boolean beforeWrite) throws Exception {
    Time time = new SystemTime();
    KubeConnection connection = KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test");
    KubeCluster server = KubeCluster.alone(connection, time);
    CrashingWrites writes = new CrashingWrites(number, beforeWrite);
    return new SnapshotUndo(
        server, writes.of(server), writes.of(new WholeObjectWriter(connection)), time);
  }
}
