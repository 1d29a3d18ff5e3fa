package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.SubjectRef;
import dev.mooring.manager.explain.TimelineText;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeLog() throws IOException {
    file = folder.resolve("audit.log");
    Files.writeString(
        folder.resolve("audit.log.1"),
        """
        {"time":"2026-01-01T10:00:00Z","controller":"persistentvolume-binder-controller","key":"shop/data","decision":"Wait","reason":"FailedBinding","did":"event","kind":"PersistentVolumeClaim","namespace":"shop","name":"data","uid":"u-c","result":"emitted","note":"no persistent volumes available [NoVolume]","ms":0.0}
        {"time":"2026-01-01T10:00:01Z","controller":"persistentvolume-binder-controller","key":"shop/other","decision":"Wait","reason":"FailedBinding","did":"event","kind":"PersistentVolumeClaim","namespace":"shop","name":"other","result":"emitted","ms":0.0}
        not a line
        {"time":"2026-01-01T10:01:00Z","controller":"persistentvolume-binder-controller","key":"shop/data","decision":"Bind","did":"patch","kind":"PersistentVolume","name":"pv-a","uid":"u-v","fields":["spec.claimRef.name=data","spec.claimRef.namespace=shop"],"from":"7","to":"9","result":"written","ms":3.25}
        """);
    Files.writeString(
        file,
        """
        {"time":"2026-01-01T10:01:01Z","controller":"persistentvolume-binder-controller","key":"shop/data","decision":"Bind","did":"patch-status","kind":"PersistentVolumeClaim","namespace":"shop","name":"data","uid":"u-c","fields":["status.phase=Bound"],"from":"9","result":"conflict","note":"another writer was first","ms":1.0}
        {"time":"2026-01-01T10:01:02Z","controller":"persistentvolume-binder-controller","key":"shop/data","decision":"Provision","did":"provision","result":"failed","note":"no room","ms":20.0}
        {"time":"2026-01-01T10:02:00Z","controller":"persistentvolume-attach-detach-controller","key":"k","decision":"Attach","did":"create","kind":"VolumeAttachment","name":"csi-1","fields":["spec.source.persistentVolumeName=pv-a"],"to":"20","result":"written","ms":2.0}
        {"time":"2026-01-01T10:03:00Z","did":"lose","result":"lost","note":"3 lines are missing here: 8192 entries are queued already","ms":0.0}
        {"time":"2026-01-01T10:04:00Z","controller":"ephemeral-volume-controller","key":"shop/data","did":"reconcile","result":"retry","note":"a pod of that name","ms":1.0}
        {"time":"2026-01-01T10:05:00Z","contr\
        """);
  }

  @Test
  void read_claim_includesItsVolumeAndAttachments() throws IOException {
    assertThat(
            TimelineText.of(
                new SubjectRef(Kind.CLAIM, CLAIM),
                Timeline.read(new AuditFiles(file), Kind.CLAIM, CLAIM),
                true))
        .isEqualTo(
            """
            pvc/data in namespace shop

            Wait, then Bind, then Provision, then Attach: 6 entries from
            2026-01-01T10:00:00Z to 2026-01-01T10:03:00Z, 3 without success; last: lines
            were lost

            2026-01-01T10:00:00Z persistentvolume-binder-controller: Wait, FailedBinding
                event FailedBinding pvc/data in namespace shop: emitted
                no persistent volumes available [NoVolume]

            2026-01-01T10:01:00Z persistentvolume-binder-controller: Bind
                patch pv/pv-a: written, version 7 to 9, 3.3 ms
                spec.claimRef.name=data, spec.claimRef.namespace=shop

            2026-01-01T10:01:01Z persistentvolume-binder-controller: Bind
                patch-status pvc/data in namespace shop: conflict, 1.0 ms
                status.phase=Bound
                another writer was first

            2026-01-01T10:01:02Z persistentvolume-binder-controller: Provision
                provision of shop/data: failed, 20.0 ms
                no room

            2026-01-01T10:02:00Z persistentvolume-attach-detach-controller: Attach
                create volumeattachment/csi-1: written, version 20, 2.0 ms
                spec.source.persistentVolumeName=pv-a

            2026-01-01T10:03:00Z
                lines were lost
                3 lines are missing here: 8192 entries are queued already

            unreadable lines in the log: 1\
            """);
  }

  @Test
  void text_withoutFields_omitsFieldsVersionsAndDurations() throws IOException {
    String text =
        TimelineText.of(
            new SubjectRef(Kind.CLAIM, CLAIM),
            Timeline.read(new AuditFiles(file), Kind.CLAIM, CLAIM),
            false);
    assertThat(text)
        .contains("    patch pv/pv-a: written\n", "    no room")
        .doesNotContain("spec.claimRef", "version 7", " ms");
  }

  @Test
  void read_boundVolume_equalsTimelineOfClaim() throws IOException {
    AuditFiles log = new AuditFiles(file);
    assertThat(Timeline.read(log, Kind.VOLUME, ObjectKey.cluster("pv-a")))
        .isEqualTo(Timeline.read(log, Kind.CLAIM, CLAIM));
  }

  @Test
  void read_unknownObject_hasNoLines() throws IOException {
    Timeline timeline =
        Timeline.read(
            new AuditFiles(folder.resolve("audit.log.1")), Kind.VOLUME, ObjectKey.cluster("x"));
    assertThat(
            TimelineText.of(new SubjectRef(Kind.VOLUME, ObjectKey.cluster("x")), timeline, false))
        .startsWith("pv/x\n\nthe log contains no entries about this object");
  }
}
