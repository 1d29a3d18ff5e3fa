package dev.mooring.manager.telemetry;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.binder.BinderController;
import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.expander.ExpandController;
import dev.mooring.informer.Informer;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.audit.AuditLog;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.provisioner.VolumeUsage;
import dev.mooring.selinux.VolumeConflict;
import dev.mooring.workqueue.QueueStats;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All metrics, collected per scrape. Names of Kubernetes' metrics are unchanged; others begin with
 * {@code mooring_}.
 */
public final class Metrics {
  public record Sources(
      Supplier<List<QueueStats>> queues,
      Informer<Volume> volumes,
      Informer<Claim> claims,
      Informer<Attachment> attachments,
      KubeCluster cluster,
      RequestMetrics requests,
      Supplier<Map<String, Long>> watchFailures,
      EventRecorder events,
      EphemeralVolumes ephemeral,
      BinderController binder,
      AttachDetachController attachDetach,
      ExpandController expander,
      Supplier<List<VolumeConflict>> labelConflicts,
      Supplier<List<OperationStats.Durations>> csi,
      Supplier<Map<String, CapacityObjectCount>> capacities,
      Supplier<List<OperationStats.Durations>> provisioned,
      Supplier<List<VolumeUsage>> usage,
      PluginRegistry plugins,
      Optional<LeaderElection> election,
      Optional<AuditLog> audit) {}

  private static final double MILLIS = 1000;

  private final Sources sources;
  private final ObjectMetrics objects;
  private final StorageMetrics storage;
  private final WaitMetrics waits;

  public Metrics(Sources sources) {
    this.sources = sources;
    this.objects = new ObjectMetrics(sources.volumes(), sources.claims());
    this.waits =
        new WaitMetrics(
            new WaitTimes(
                sources.claims(),
                () -> System.currentTimeMillis() / MILLIS,
                () -> sources.election().map(LeaderElection::mayWrite).orElse(true)),
            sources.claims(),
            claim -> sources.binder().metrics().waitsFor(claim));
    waits.listen(sources.volumes(), sources.attachments());
    this.storage =
        new StorageMetrics(
            sources.binder().metrics(),
            sources.attachDetach().metrics(),
            sources.expander().operations(),
            sources.csi(),
            sources.provisioned());
  }

  public void write(OutputStream out) throws IOException {
    MetricFamilies all = new MetricFamilies();
    new QueueMetrics(sources.queues().get()).add(all);
    objects.add(all);
    storage.add(all);
    waits.add(all);
    CapacityMetrics.add(all, sources.capacities().get());
    sources.requests().add(all);
    WatchMetrics.add(all, sources.watchFailures().get());
    LabelMetrics.add(all, sources.labelConflicts().get());
    PluginMetrics.add(all, sources.plugins(), sources.usage().get());
    sources.election().ifPresent(election -> leads(all, election));
    sources.audit().ifPresent(log -> audit(all, log));
    writes(all);
    ephemeral(all);
    deletions(all);
    MetricsExposition.write(all.snapshots(), out);
  }

  private void writes(MetricFamilies all) {
    all.counter("mooring_api_writes", "Number of write requests to the API server.")
        .put(sources.cluster().writes());
    all.counter(
            "mooring_events_written",
            "Number of events written, including updates of repeated events.")
        .put(sources.events().written());
    all.counter(
            "mooring_events_lost",
            "Number of events dropped: queue full, or rejected by the API server.")
        .put(sources.events().dropped());
    all.counter("mooring_api_conflicts", "Number of writes that failed with a conflict.")
        .put(sources.cluster().conflicts());
  }

  private void ephemeral(MetricFamilies all) {
    all.counter(
            "ephemeral_volume_controller_create",
            "Number of PersistentVolumeClaims creation requests")
        .put(sources.ephemeral().creates());
    all.counter(
            "ephemeral_volume_controller_create_failures",
            "Number of PersistentVolumeClaim creation requests that failed")
        .put(sources.ephemeral().failures());
  }

  private void deletions(MetricFamilies all) {
    all.gauge(
            "mooring_deletions_held",
            "1 while the deletion circuit breaker holds back all deletions, else 0.")
        .put(sources.binder().areDeletionsHeld() ? 1 : 0);
    all.counter(
            "mooring_deletion_brake_trips",
            "Number of times the deletion circuit breaker has tripped.")
        .put(sources.binder().breakerTrips());
  }

  private static void audit(MetricFamilies all, AuditLog log) {
    all.counter("mooring_audit_lines_written", "Number of audit log lines written.")
        .put(log.written());
    all.counter(
            "mooring_audit_lines_lost",
            "Number of audit log lines lost: queue full, or write failed.")
        .put(log.lost());
  }

  private static void leads(MetricFamilies all, LeaderElection election) {
    all.gauge(
            "leader_election_master_status",
            "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup,"
                + " 1 indicates master. 'name' is the string used to identify the lease. Please"
                + " make sure to group by name.")
        .put(election.mayWrite() ? 1 : 0, "name", election.lease().name());
  }
}
