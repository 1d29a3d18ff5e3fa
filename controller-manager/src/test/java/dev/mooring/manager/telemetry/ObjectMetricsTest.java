package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
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
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectMetricsTest {
  private static final int STEPS = 2_000;

  private final Informer<Claim> claims = Informer.of(Kind.CLAIM, List.of(), List.of());
  private final Informer<Volume> volumes = Informer.of(Kind.VOLUME, List.of(), List.of());
  private long version = 1;

  private Meta meta(ObjectKey key) {
    return TestObjects.metaOf(key).uid("u-" + key.name()).version(version++).meta();
  }

  private Claim claim(String namespace, String name, String className, ClaimPhase phase) {
    return new Claim(
        meta(ObjectKey.of(namespace, name)),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of("1Gi"),
        className,
        "",
        VolumeMode.FILESYSTEM,
        null,
        "",
        false,
        null,
        new Claim.Status(phase, List.of(), Map.of(), ""));
  }

  private Volume volume(String name, String className, VolumePhase phase, VolumeSource source) {
    return new Volume(
        meta(ObjectKey.cluster(name)),
        Map.of("storage", Quantity.of("1Gi")),
        source,
        AccessModes.of("ReadWriteOnce"),
        null,
        ReclaimPolicy.RETAIN,
        className,
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(phase, "", ""));
  }

  private ObjectMetrics createMetrics(Compat compat) {
    return new ObjectMetrics(volumes, claims, PluginLabel.of(compat));
  }

  /** Returns {@code name{label=value,…} -> count}. */
  private static Map<String, Integer> export(ObjectMetrics metrics) {
    MetricFamilies families = new MetricFamilies();
    metrics.addTo(families);
    Map<String, Integer> values = new HashMap<>();
    families.snapshots().stream()
        .map(GaugeSnapshot.class::cast)
        .forEach(gauge ->
            gauge
                .getDataPoints()
                .forEach(point ->
                    values.put(
                        gauge.getMetadata().getName() + point.getLabels(),
                        (int) point.getValue())));
    return values;
  }

  @Test
  void counts_existingChangedAndDeletedObjects_areCorrect() {
    volumes.applyOwnWrite(volume("a", "gold", VolumePhase.BOUND, VolumeSource.nfs("s", "/")));
    claims.applyOwnWrite(claim("ns", "c", "gold", ClaimPhase.BOUND));
    ObjectMetrics metrics = createMetrics(Compat.MOORING);
    volumes.applyOwnWrite(volume("b", "gold", VolumePhase.AVAILABLE, VolumeSource.hostPath("/x")));
    volumes.applyOwnWrite(volume("c", "gold", VolumePhase.BOUND, VolumeSource.hostPath("/x")));
    volumes.applyOwnWrite(volume("c", "gold", VolumePhase.RELEASED, VolumeSource.hostPath("/x")));
    assertThat(export(metrics))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "pv_collector_total_pv_count{plugin_name=\"kubernetes.io/nfs\",volume_mode=\"Filesystem\"}",
                1,
                "pv_collector_total_pv_count{plugin_name=\"kubernetes.io/host-path\",volume_mode=\"Filesystem\"}",
                2,
                "pv_collector_bound_pv_count{storage_class=\"gold\"}",
                1,
                "pv_collector_unbound_pv_count{storage_class=\"gold\"}",
                2,
                "pv_collector_bound_pvc_count{namespace=\"ns\",storage_class=\"gold\",volume_attributes_class=\"\"}",
                1));
    claims.applyOwnDeletion(ObjectKey.of("ns", "c"), Uid.of("u-c"));
    assertThat(export(metrics).keySet()).noneMatch(name -> name.contains("pvc"));
  }

  @ParameterizedTest
  @CsvSource({"MOORING, kubernetes.io/csi:ebs.csi.aws.com", "KUBERNETES, N/A"})
  void counts_volumeOfDriver_namesDriverUnlessAsKubernetes(Compat compat, String plugin) {
    volumes.applyOwnWrite(
        volume("a", "gold", VolumePhase.BOUND, VolumeSource.csi("ebs.csi.aws.com", "vol-1")));
    assertThat(export(createMetrics(compat)))
        .containsEntry(
            "pv_collector_total_pv_count{plugin_name=\"%s\",volume_mode=\"Filesystem\"}"
                .formatted(plugin),
            1);
  }

  @Test
  void counts_afterRandomChanges_equalFullCount() {
    ObjectMetrics metrics = createMetrics(Compat.MOORING);
    Random random = new Random(1);
    for (int i = 0; i < STEPS; i++) {
      String name = "o" + random.nextInt(40);
      String className = "c" + random.nextInt(3);
      switch (random.nextInt(4)) {
        case 0 ->
            volumes.applyOwnWrite(
                volume(
                    name,
                    className,
                    VolumePhase.values()[random.nextInt(VolumePhase.values().length)],
                    random.nextBoolean()
                        ? VolumeSource.nfs("s", "/")
                        : VolumeSource.hostPath("/x")));
        case 1 -> volumes.applyOwnDeletion(ObjectKey.cluster(name), Uid.of("u-" + name));
        case 2 ->
            claims.applyOwnWrite(
                claim(
                    "n" + random.nextInt(2),
                    name,
                    className,
                    ClaimPhase.values()[random.nextInt(ClaimPhase.values().length)]));
        default -> claims.applyOwnDeletion(ObjectKey.of("n0", name), Uid.of("u-" + name));
      }
      if (i % 100 == 0) {
        assertThat(export(metrics)).isEqualTo(export(createMetrics(Compat.MOORING)));
      }
    }
    assertThat(export(metrics))
        .hasSizeGreaterThan(10)
        .isEqualTo(export(createMetrics(Compat.MOORING)));
  }
}
