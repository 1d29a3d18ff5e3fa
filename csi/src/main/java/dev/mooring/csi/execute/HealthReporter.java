package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.csi.state.HealthMemory;
import dev.mooring.csi.state.HealthMemory.DroppedReport;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.Condition;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reports the health of volumes on their claims. Used by one thread. */
public record HealthReporter(DriverReporter events, ClusterPorts ports, HealthMemory memory) {
  private static final System.Logger LOG = System.getLogger(HealthReporter.class.getName());
  // an API server without the feature gate may get it later
  private static final Duration DROPPED_RETRY = Duration.ofHours(1);

  boolean hasReported(Volume volume, Claim claim) {
    return !claim.status().healthConditions().isEmpty()
        || memory.droppedReport(volume.key()).isPresent();
  }

  /**
   * Writes the conditions to the claim if they differ. Emits an event instead if the API server
   * drops them: Kubernetes before 1.37, or the feature gate CSIVolumeHealth is off.
   */
  void reportHealth(Volume volume, Claim claim, List<HealthCondition> conditions)
      throws InterruptedException {
    memory.forgetAbsent(volume.key());
    if (conditions.equals(claim.status().healthConditions())) {
      if (conditions.isEmpty()) {
        reportDropped(volume, claim, conditions);
      }
      return;
    }
    Optional<DroppedReport> lastReport = memory.droppedReport(volume.key());
    Instant now = ports.time().now();
    if (lastReport.isPresent()
        && lastReport.get().conditions().equals(conditions)
        && now.isBefore(lastReport.get().time().plus(DROPPED_RETRY))) {
      return;
    }
    WriteResult<Claim> result =
        new ClaimStatusWriter(ports.writer(), ports.reader())
            .write(claim, current -> makePatch(current, conditions, now));
    if (!(result instanceof WriteResult.Written<Claim>(Claim written))) {
      LOG.log(
          Level.WARNING,
          () ->
              "health of volume %s is not written to claim %s (%s); the next check writes it"
                  .formatted(volume.meta().name(), claim.key(), result));
      return;
    }
    if (written.status().healthConditions().equals(conditions)) {
      memory.forgetDroppedReport(volume.key());
    } else {
      reportDropped(volume, claim, conditions);
    }
  }

  private static Document makePatch(Claim claim, List<HealthCondition> conditions, Instant now) {
    Document patch = Document.patchOf(claim.meta());
    if (conditions.isEmpty()) {
      return patch.set(null, "status", "healthStatus");
    }
    List<Map<String, String>> entries =
        conditions.stream()
            .map(c -> Map.of("status", c.status(), "reason", c.reason(), "message", c.message()))
            .toList();
    return patch
        .set(entries, "status", "healthStatus", "healthConditions")
        .set(
            now.truncatedTo(ChronoUnit.SECONDS).toString(),
            "status",
            "healthStatus",
            "lastTransitionTime");
  }

  private void reportDropped(Volume volume, Claim claim, List<HealthCondition> conditions) {
    Optional<DroppedReport> lastReport = memory.droppedReport(volume.key());
    if (conditions.isEmpty()) {
      memory.forgetDroppedReport(volume.key());
    } else {
      memory.addDroppedReport(volume.key(), new DroppedReport(conditions, ports.time().now()));
    }
    VolumeHealth.decideEvent(
            lastReport.map(r -> VolumeHealth.summarize(r.conditions())).orElse(null),
            VolumeHealth.summarize(conditions))
        .ifPresent(event -> events.emitHealth(claim, event));
  }

  void reportCondition(Volume volume, Claim claim, @Nullable Condition condition) {
    String handle = volume.source().attribute("volumeHandle");
    Condition lastCondition = memory.lastCondition(volume.key(), handle);
    memory.setCondition(
        volume.key(), handle, VolumeHealth.conditionToRemember(lastCondition, condition));
    VolumeHealth.decideEvent(lastCondition, condition)
        .ifPresent(event -> events.emitHealth(claim, event));
  }
}
