package dev.mooring.manager.telemetry;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.binder.BinderController;
import dev.mooring.csi.CapacityCount;
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
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The metrics, gathered when asked for. Names that Kubernetes has are Kubernetes'; ours begin with
 * {@code mooring_}.
 */
public final class Metrics {
  /**
   * Where figures come from.
   *
   * @param queues the queues of all controllers that run
   * @param volumes all volumes
   * @param claims all claims
   * @param attachments all VolumeAttachments
   * @param cluster counts writes
   * @param requests counts requests
   * @param events counts events, written and lost
   * @param ephemeral counts claims made for pods
   * @param binder counts what becomes of volumes
   * @param attachDetach counts attaches and detaches
   * @param expander counts expansions
   * @param labelConflicts pods that cannot use a volume together because of SELinux
   * @param csi how long CSI drivers' calls took
   * @param capacities how many CSIStorageCapacity objects there are, by driver
   * @param provisioned how long it took to make and destroy volumes by the external protocol
   * @param usage how full volumes are
   * @param plugins count what plugins throw, and what does not end
   * @param election who leads, if that is decided by a Lease
   * @param audit counts lines of the audit log, if there is one
   */
  public record Sources(
      Supplier<List<QueueStats>> queues,
      Informer<Volume> volumes,
      Informer<Claim> claims,
      Informer<Attachment> attachments,
      KubeCluster cluster,
      RequestMetrics requests,
      EventRecorder events,
      EphemeralVolumes ephemeral,
      BinderController binder,
      AttachDetachController attachDetach,
      ExpandController expander,
      Supplier<List<VolumeConflict>> labelConflicts,
      Supplier<List<OperationStats.Durations>> csi,
      Supplier<Map<String, CapacityCount>> capacities,
      Supplier<List<OperationStats.Durations>> provisioned,
      Supplier<List<VolumeUsage>> usage,
      PluginRegistry plugins,
      Optional<LeaderElection> election,
      Optional<AuditLog> audit) {}

  private static final double MILLIS = 1000;

  private final Supplier<List<QueueStats>> queues;
  private final ObjectMetrics objects;
  private final KubeCluster cluster;
  private final RequestMetrics requests;
  private final EventRecorder events;
  private final EphemeralVolumes ephemeral;
  private final BinderController binder;
  private final StorageMetrics storage;
  private final WaitMetrics waits;
  private final Supplier<Map<String, CapacityCount>> capacities;
  private final Supplier<List<VolumeConflict>> labelConflicts;
  private final Supplier<List<VolumeUsage>> usage;
  private final PluginRegistry plugins;
  private final Optional<LeaderElection> election;
  private final Optional<AuditLog> audit;

  /** From these sources. */
  public Metrics(Sources sources) {
    this.queues = sources.queues();
    this.objects = new ObjectMetrics(sources.volumes(), sources.claims());
    this.cluster = sources.cluster();
    this.requests = sources.requests();
    this.events = sources.events();
    this.ephemeral = sources.ephemeral();
    this.binder = sources.binder();
    this.labelConflicts = sources.labelConflicts();
    this.usage = sources.usage();
    this.plugins = sources.plugins();
    this.election = sources.election();
    this.audit = sources.audit();
    this.capacities = sources.capacities();
    this.waits =
        new WaitMetrics(
            new WaitTimes(
                sources.claims(),
                () -> System.currentTimeMillis() / MILLIS,
                () -> election.map(LeaderElection::mayWrite).orElse(true)),
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

  /** Writes the text format. */
  public void write(OutputStream out) throws IOException {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    new QueueMetrics(queues.get()).add(all);
    objects.add(all);
    storage.add(all);
    waits.add(all);
    CapacityMetrics.add(all, capacities.get());
    requests.add(all);
    all.metricSnapshot(LabelMetrics.conflicts(labelConflicts.get()));
    PluginMetrics.add(all, plugins, usage.get());
    election.ifPresent(e -> all.metricSnapshot(leads(e)));
    audit.ifPresent(log -> audit(all, log));
    writes(all);
    ephemeral(all);
    deletions(all);
    Exposition.write(all.build(), out);
  }

  private void writes(MetricSnapshots.Builder all) {
    all.metricSnapshot(
        Points.counter("mooring_api_writes", "Writes sent to the API server.", cluster.writes()));
    all.metricSnapshot(
        Points.counter(
            "mooring_events_written",
            "Events that were written, repeats counted once per write.",
            events.written()));
    all.metricSnapshot(
        Points.counter(
            "mooring_events_lost",
            "Events that were not written: too many, or the server did not take them.",
            events.dropped()));
    all.metricSnapshot(
        Points.counter(
            "mooring_api_conflicts",
            "Writes that lost against another writer.",
            cluster.conflicts()));
  }

  private void ephemeral(MetricSnapshots.Builder all) {
    all.metricSnapshot(
        Points.counter(
            "ephemeral_volume_controller_create",
            "Number of PersistentVolumeClaims creation requests",
            ephemeral.creates()));
    all.metricSnapshot(
        Points.counter(
            "ephemeral_volume_controller_create_failures",
            "Number of PersistentVolumeClaim creation requests that failed",
            ephemeral.failures()));
  }

  private void deletions(MetricSnapshots.Builder all) {
    all.metricSnapshot(
        GaugeSnapshot.builder()
            .name("mooring_deletions_held")
            .help("1 while the circuit breaker holds all deletions back.")
            .dataPoint(Points.gauge(Labels.EMPTY, binder.areDeletionsHeld() ? 1 : 0))
            .build());
    all.metricSnapshot(
        Points.counter(
            "mooring_deletion_brake_trips",
            "How often an unusual number of deletions stopped all of them.",
            binder.breakerTrips()));
  }

  private static void audit(MetricSnapshots.Builder all, AuditLog log) {
    all.metricSnapshot(
            Points.counter(
                "mooring_audit_lines_written",
                "Lines of the audit log that were written.",
                log.written()))
        .metricSnapshot(
            Points.counter(
                "mooring_audit_lines_lost",
                "Lines of the audit log that were not written: too many at once, or no room.",
                log.lost()));
  }

  private static GaugeSnapshot leads(LeaderElection election) {
    return GaugeSnapshot.builder()
        .name("leader_election_master_status")
        .help(
            "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup,"
                + " 1 indicates master. 'name' is the string used to identify the lease. Please"
                + " make sure to group by name.")
        .dataPoint(
            Points.gauge(Labels.of("name", election.lease().name()), election.mayWrite() ? 1 : 0))
        .build();
  }
}
