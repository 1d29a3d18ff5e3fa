package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private final Informer<Claim> claims = Informer.of(Kind.CLAIM, List.of(), List.of());
  private final Informer<Volume> volumes = Informer.of(Kind.VOLUME, List.of(), List.of());
  private final Informer<Attachment> attachments =
      Informer.of(Kind.ATTACHMENT, List.of(), List.of());
  private boolean isLeader = true;
  private double now = 1000;
  private final WaitTimes times = new WaitTimes(claims, () -> now, () -> isLeader);
  private long version = 1;

  private Meta meta(ObjectKey key, long created, long deleted, Map<String, String> annotations) {
    return TestObjects.metaOf(key)
        .uid("u-" + key.name())
        .version(version++)
        .created(created)
        .deleted(deleted)
        .annotations(annotations)
        .meta();
  }

  private void claim(
      ClaimPhase phase, String request, @Nullable String has, Claim.Condition... conditions) {
    claims.applyOwnWrite(
        new Claim(
            meta(CLAIM, 900, 0, Map.of(PROVISIONER, "p")),
            AccessModes.of("ReadWriteOnce"),
            Quantity.of(request),
            "",
            "",
            VolumeMode.FILESYSTEM,
            null,
            "",
            false,
            null,
            new Claim.Status(
                phase,
                List.of(),
                has == null ? Map.of() : Map.of("storage", Quantity.of(has)),
                "",
                Claim.Modification.NONE,
                Claim.Resize.NONE,
                List.of(conditions),
                List.of())));
  }

  private List<String> recordedWaits() {
    return times.read().stream()
        .map(wait ->
            "%s %s %s %.0fs"
                .formatted(
                    wait.labels().operation(),
                    wait.labels().plugin(),
                    wait.labels().succeeded(),
                    wait.sumSeconds()))
        .sorted()
        .toList();
  }

  @Test
  void claim_bound_countsTimeSinceCreation() {
    times.addHandlers(volumes, attachments);
    claim(ClaimPhase.PENDING, "1Gi", null);
    now = 1030;
    claim(ClaimPhase.BOUND, "1Gi", "1Gi");
    now = 2000;
    claim(ClaimPhase.BOUND, "1Gi", "1Gi");
    assertThat(recordedWaits()).containsExactly("bind p true 130s");
  }

  @Test
  void claim_deletedWhileWaiting_countsAsAbandoned() {
    times.addHandlers(volumes, attachments);
    claim(ClaimPhase.PENDING, "1Gi", null);
    claims.applyOwnDeletion(CLAIM, Uid.of("u-c"));
    assertThat(recordedWaits()).containsExactly("bind p false 100s");
  }

  @Test
  void claim_boundWhileStandby_isNotCounted() {
    isLeader = false;
    times.addHandlers(volumes, attachments);
    claim(ClaimPhase.PENDING, "1Gi", null);
    claim(ClaimPhase.BOUND, "1Gi", "1Gi");
    assertThat(recordedWaits()).isEmpty();
  }

  @Test
  void claim_boundInInitialList_isNotCounted() {
    claim(ClaimPhase.BOUND, "1Gi", "1Gi");
    times.addHandlers(volumes, attachments);
    assertThat(recordedWaits()).isEmpty();
  }

  @Test
  void claim_expanded_countsTimeSinceStart() {
    times.addHandlers(volumes, attachments);
    claim(ClaimPhase.BOUND, "1Gi", "1Gi");
    claim(ClaimPhase.BOUND, "2Gi", "1Gi", new Claim.Condition("Resizing", "True", "", "", 0, 950));
    claim(ClaimPhase.BOUND, "2Gi", "2Gi");
    assertThat(recordedWaits()).containsExactly("bind p true 100s", "resize p true 50s");
  }

  @Test
  void volume_provisioned_countsTimeSinceClaim() {
    times.addHandlers(volumes, attachments);
    claim(ClaimPhase.PENDING, "1Gi", null);
    volumes.applyOwnWrite(
        new Volume(
            meta(
                ObjectKey.cluster("v"), 990, 0, Map.of("pv.kubernetes.io/provisioned-by", "maker")),
            Map.of(),
            VolumeSource.csi("d", "h"),
            AccessModes.of("ReadWriteOnce"),
            new ClaimRef(CLAIM, Uid.of("u-c")),
            ReclaimPolicy.DELETE,
            "",
            VolumeMode.FILESYSTEM,
            "",
            new Volume.Status(VolumePhase.PENDING, "", "")));
    assertThat(recordedWaits()).containsExactly("provision maker true 100s");
  }

  private void attachment(boolean attached, long deleted) {
    attachments.applyOwnWrite(
        new Attachment(
            meta(ObjectKey.cluster("a"), 940, deleted, Map.of()),
            "d",
            "v",
            Attachment.InlineVolume.NONE,
            "n",
            attached,
            "",
            ""));
  }

  @Test
  void attachment_attachedAndDetached_countsBoth() {
    times.addHandlers(volumes, attachments);
    attachment(false, 0);
    attachment(true, 0);
    attachment(true, 980);
    attachments.applyOwnDeletion(ObjectKey.cluster("a"), Uid.of("u-a"));
    assertThat(recordedWaits()).containsExactly("attach d true 60s", "detach d true 20s");
  }

  @Test
  void attachment_deletedBeforeAttached_countsAsAbandoned() {
    times.addHandlers(volumes, attachments);
    attachment(false, 0);
    attachment(false, 990);
    attachments.applyOwnDeletion(ObjectKey.cluster("a"), Uid.of("u-a"));
    assertThat(recordedWaits()).containsExactly("attach d false 60s");
  }

  @Test
  void waitingClaims_pendingClaim_isCountedByReason() {
    claim(ClaimPhase.PENDING, "1Gi", null);
    WaitMetrics metrics = new WaitMetrics(times, claims, claim -> "NoVolume");
    assertThat(exportGauges(metrics))
        .containsExactlyInAnyOrder(
            "mooring_claims_waiting{reason=\"NoVolume\"}1.0",
            "mooring_claims_waiting_oldest_seconds{reason=\"NoVolume\"}100.0");
  }

  @Test
  void waitingClaims_boundOrDeletedClaim_isNotCounted() {
    WaitMetrics metrics = new WaitMetrics(times, claims, claim -> "NoVolume");
    claim(ClaimPhase.PENDING, "1Gi", null);
    assertThat(exportGauges(metrics)).hasSize(2);
    claim(ClaimPhase.BOUND, "1Gi", "1Gi");
    assertThat(exportGauges(metrics)).isEmpty();
    claim(ClaimPhase.PENDING, "1Gi", null);
    claims.applyOwnDeletion(CLAIM, Uid.of("u-c"));
    assertThat(exportGauges(metrics)).isEmpty();
  }

  private static List<String> exportGauges(WaitMetrics metrics) {
    MetricFamilies families = new MetricFamilies();
    metrics.addTo(families);
    return families.snapshots().stream()
        .filter(GaugeSnapshot.class::isInstance)
        .map(GaugeSnapshot.class::cast)
        .flatMap(gauge ->
            gauge.getDataPoints().stream()
                .map(point -> gauge.getMetadata().getName() + point.getLabels() + point.getValue()))
        .toList();
  }
}
