package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.audit.AuditEntry;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;
import dev.mooring.model.ReasonedChoice;
import dev.mooring.model.Uid;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Reconciler;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuditTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");

  private final SystemTime time = new SystemTime();
  private final List<AuditEntry> entries = new CopyOnWriteArrayList<>();
  private final FaultyCluster server = new FaultyCluster();
  private final AuditedWriter writer = new AuditedWriter(server, entries::add, time);
  private final WorkQueue<ObjectKey> queue = new WorkQueue<>("q", time);

  private enum SampleReason implements ReasonCode {
    NO_VOLUME;

    @Override
    public ReasonText wording() {
      return new ReasonText("none", "");
    }
  }

  private record Wait(SampleReason reason) implements ReasonedChoice {}

  @AfterEach
  void stop() {
    time.close();
  }

  private void runOnce(Reconciler<ObjectKey> reconciler, ControllerSpec.SlowWork... work)
      throws InterruptedException {
    ControllerSpec.Builder spec =
        ControllerSpec.builder("some-controller").loop(queue, reconciler, 1);
    for (ControllerSpec.SlowWork operation : work) {
      spec.work(operation);
    }
    ControllerRuntime runtime = new ControllerRuntime(spec.build(), time, entries::add);
    queue.add(KEY);
    runtime.start();
    TestWait.until("an audit entry", () -> !entries.isEmpty());
    runtime.stop(Duration.ofSeconds(30));
  }

  @Test
  void write_conflict_recordsActorFieldsAndDecision() throws InterruptedException {
    server.nextWrites(new WriteResult.Conflict<>("another writer was first"));
    Document patch =
        Document.empty()
            .set("17", "metadata", "resourceVersion")
            .set("u-1", "metadata", "uid")
            .set("pv-a", "spec", "volumeName")
            .set("yes", "metadata", "annotations", "pv.kubernetes.io/bind-completed")
            .set(null, "status", "capacity");
    runOnce(key -> {
      DecisionLog.recordDecision(new Wait(SampleReason.NO_VOLUME));
      return Outcome.ofWrite("binding", writer.patch(Kind.CLAIM, key, patch));
    });
    AuditEntry entry = entries.getFirst();
    assertThat(entry.origin().controller()).isEqualTo("some-controller");
    assertThat(entry.origin().key()).isEqualTo("shop/data");
    assertThat(entry.origin().decision()).isEqualTo("Wait");
    assertThat(entry.origin().reason()).isEqualTo("NoVolume");
    assertThat(entry.action()).isEqualTo("patch");
    assertThat(entry.target())
        .isEqualTo(new AuditEntry.Target("PersistentVolumeClaim", KEY, "u-1"));
    assertThat(entry.change())
        .isEqualTo(
            new AuditEntry.Change(
                List.of(
                    "metadata.annotations[pv.kubernetes.io/bind-completed]",
                    "spec.volumeName=pv-a",
                    "-status.capacity"),
                17,
                0));
    assertThat(entry.result()).isEqualTo("conflict");
    assertThat(entry.message()).isEqualTo("another writer was first");
  }

  @Test
  void create_fieldsThatMayHoldSecrets_recordsNoValues() throws InterruptedException {
    writer.create(
        Kind.VOLUME,
        ObjectKey.cluster("v"),
        Document.empty()
            .set(Map.of("password", "hunter2"), "spec", "csi", "volumeAttributes")
            .set("hunter2", "metadata", "annotations", "driver.example.com/password")
            .set("hunter2", "metadata", "labels", "password")
            .set(List.of(Map.of("key", "hunter2")), "spec", "nodeAffinity")
            .set("hunter2", "spec", "nfs", "path"));
    assertThat(entries).hasSize(1);
    assertThat(entries.getFirst().toString()).doesNotContain("hunter2");
    assertThat(entries.getFirst().change().fields())
        .contains("spec.csi.volumeAttributes.password", "spec.nfs.path");
  }

  @Test
  void delete_withVersion_recordsVersion() throws InterruptedException {
    writer.delete(Kind.VOLUME, ObjectKey.cluster("v"), Uid.of("u-2"), 41);
    writer.delete(Kind.VOLUME, ObjectKey.cluster("v"), Uid.of("u-2"));
    assertThat(entries)
        .extracting(entry -> entry.change().versionBefore())
        .containsExactly(41L, 0L);
    assertThat(entries.getFirst().change().fields()).isEmpty();
  }

  @Test
  void write_interrupted_recordsUnknown() {
    server.interruptWrites();
    assertThatThrownBy(() -> writer.delete(Kind.VOLUME, ObjectKey.cluster("v"), Uid.of("u-2")))
        .isInstanceOf(InterruptedException.class);
    assertThat(entries).extracting(AuditEntry::result).containsExactly("unknown");
    assertThat(entries.getFirst().target().uid()).isEqualTo("u-2");
    assertThat(entries.getFirst().origin().controller()).as("without a reconcile").isEmpty();
  }

  @Test
  void slowWork_startedByReconcile_recordsItsKey() throws InterruptedException {
    KeyedOperations<ObjectKey> operations =
        new KeyedOperations<>("provision", time, Compat.MOORING, key -> {});
    runOnce(
        key -> {
          DecisionLog.recordDecision(new Wait(SampleReason.NO_VOLUME));
          operations.start(
              key,
              () -> {
                writer.patch(Kind.CLAIM, key, Document.empty());
                return new JobResult.Failed(new Failure.Rejected("no room"));
              });
          return Outcome.SETTLED;
        },
        operations);
    assertThat(entries)
        .extracting(
            AuditEntry::action, e -> e.origin().key(), AuditEntry::result, AuditEntry::message)
        .containsExactly(
            tuple("patch", "shop/data", "gone", ""),
            tuple("provision", "shop/data", "failed", "no room"));
  }

  @Test
  void reconcile_givesUp_recordsFailureOnly() throws InterruptedException {
    runOnce(key -> new Outcome.GiveUp(new Failure.Rejected("not this way")));
    assertThat(entries)
        .extracting(AuditEntry::action, AuditEntry::result, AuditEntry::message)
        .containsExactly(tuple("reconcile", "give-up", "not this way"));
  }

  @Test
  void event_withReason_recordsReasonAndNote() {
    Meta meta = TestObjects.metaOf(KEY).uid("u-3").version(5).meta();
    new AuditedEvents(event -> {}, entries::add, time)
        .emit(
            new ClusterEvent(
                Kind.CLAIM,
                meta,
                ClusterEvent.Type.WARNING,
                "FailedBinding",
                "Binding",
                "no volume",
                "pv"));
    AuditEntry entry = entries.getFirst();
    assertThat(entry.action()).isEqualTo("event");
    assertThat(entry.origin().reason()).isEqualTo("FailedBinding");
    assertThat(entry.message()).isEqualTo("no volume");
  }
}
