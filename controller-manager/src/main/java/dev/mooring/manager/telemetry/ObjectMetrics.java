package dev.mooring.manager.telemetry;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

final class ObjectMetrics implements MetricsSource {
  private record VolumeGroup(String plugin, String mode, String className, boolean isBound) {
    static VolumeGroup of(Volume volume, PluginLabel label) {
      return new VolumeGroup(
          label.nameOf(volume.source()),
          volume.volumeMode().toString(),
          volume.storageClass(),
          volume.phase() == VolumePhase.BOUND);
    }

    private List<String> kindLabels() {
      return List.of("plugin_name", plugin, "volume_mode", mode);
    }

    private List<String> classLabels() {
      return List.of("storage_class", className);
    }

    private boolean isUnbound() {
      return !isBound;
    }
  }

  private record ClaimGroup(
      String namespace, String className, String attributesClass, boolean isBound) {
    static ClaimGroup of(Claim claim) {
      return new ClaimGroup(
          claim.key().namespace(),
          claim.className(),
          claim.attributesClass(),
          claim.phase() == ClaimPhase.BOUND);
    }

    private List<String> labels() {
      return List.of(
          "namespace", namespace,
          "storage_class", className,
          "volume_attributes_class", attributesClass);
    }

    private boolean isUnbound() {
      return !isBound;
    }
  }

  private final GroupCounter<Volume, VolumeGroup> volumes;
  private final GroupCounter<Claim, ClaimGroup> claims;

  ObjectMetrics(Informer<Volume> volumes, Informer<Claim> claims, PluginLabel label) {
    this.volumes = GroupCounter.of(volumes, volume -> VolumeGroup.of(volume, label));
    this.claims = GroupCounter.of(claims, ClaimGroup::of);
  }

  @Override
  public void addTo(MetricFamilies families) {
    Map<VolumeGroup, Integer> volumeCounts = volumes.counts();
    putCounts(
        families.gauge(
            "pv_collector_total_pv_count", "Gauge measuring total number of persistent volumes"),
        sumByLabels(volumeCounts, group -> true, VolumeGroup::kindLabels));
    putCounts(
        families.gauge(
            "pv_collector_bound_pv_count",
            "Gauge measuring number of persistent volume currently bound"),
        sumByLabels(volumeCounts, VolumeGroup::isBound, VolumeGroup::classLabels));
    putCounts(
        families.gauge(
            "pv_collector_unbound_pv_count",
            "Gauge measuring number of persistent volume currently unbound"),
        sumByLabels(volumeCounts, VolumeGroup::isUnbound, VolumeGroup::classLabels));
    Map<ClaimGroup, Integer> claimCounts = claims.counts();
    putCounts(
        families.gauge(
            "pv_collector_bound_pvc_count",
            "Gauge measuring number of persistent volume claim currently bound"),
        sumByLabels(claimCounts, ClaimGroup::isBound, ClaimGroup::labels));
    putCounts(
        families.gauge(
            "pv_collector_unbound_pvc_count",
            "Gauge measuring number of persistent volume claim currently unbound"),
        sumByLabels(claimCounts, ClaimGroup::isUnbound, ClaimGroup::labels));
  }

  private static <G> Map<List<String>, Integer> sumByLabels(
      Map<G, Integer> counts, Predicate<G> filter, Function<G, List<String>> labels) {
    Map<List<String>, Integer> sums = new HashMap<>();
    counts.forEach((group, count) -> {
      if (filter.test(group)) {
        sums.merge(labels.apply(group), count, Integer::sum);
      }
    });
    return sums;
  }

  private static void putCounts(MetricFamilies.Numbers gauge, Map<List<String>, Integer> counts) {
    counts.forEach((labels, count) -> gauge.put(count, labels.toArray(String[]::new)));
  }
}
