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
   * Where metrics come from.
   *
   * @param queues the queues of all controllers that run
   * @param volumes all volumes
   * @param claims all claims
   * @param attachments all VolumeAttachments
   * @param cluster counts writes
   * @param requests counts requests
   * @param watchFailures how many lists and watches failed, by resource
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
      Supplier<Map<String, Long>> watchFailures,
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

  private final Sources sources;
  private final ObjectMetrics objects;
  private final StorageMetrics storage;
  private final WaitMetrics waits;

  /** From these sources. */
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

  /** Writes the text format. */
  public void write(OutputStream out) throws IOException {
    Families all = new Families();
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
    Exposition.write(all.snapshots(), out);
  }

  private void writes(Families all) {
    all.counter("mooring_api_writes", "Writes sent to the API server.")
        .put(sources.cluster().writes());
    all.counter(
            "mooring_events_written", "Events that were written, repeats counted once per write.")
        .put(sources.events().written());
    all.counter(
            "mooring_events_lost",
            "Events that were not written: too many, or the server did not take them.")
        .put(sources.events().dropped());
    all.counter("mooring_api_conflicts", "Writes that lost against another writer.")
        .put(sources.cluster().conflicts());
  }

  private void ephemeral(Families all) {
    all.counter(
            "ephemeral_volume_controller_create",
            "Number of PersistentVolumeClaims creation requests")
        .put(sources.ephemeral().creates());
    all.counter(
            "ephemeral_volume_controller_create_failures",
            "Number of PersistentVolumeClaim creation requests that failed")
        .put(sources.ephemeral().failures());
  }

  private void deletions(Families all) {
    all.gauge("mooring_deletions_held", "1 while the circuit breaker holds all deletions back.")
        .put(sources.binder().areDeletionsHeld() ? 1 : 0);
    all.counter(
            "mooring_deletion_brake_trips",
            "How often an unusual number of deletions stopped all of them.")
        .put(sources.binder().breakerTrips());
  }

  private static void audit(Families all, AuditLog log) {
    all.counter("mooring_audit_lines_written", "Lines of the audit log that were written.")
        .put(log.written());
    all.counter(
            "mooring_audit_lines_lost",
            "Lines of the audit log that were not written: too many at once, or no room.")
        .put(log.lost());
  }

  private static void leads(Families all, LeaderElection election) {
    all.gauge(
            "leader_election_master_status",
            "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup,"
                + " 1 indicates master. 'name' is the string used to identify the lease. Please"
                + " make sure to group by name.")
        .put(election.mayWrite() ? 1 : 0, "name", election.lease().name());
  }
}
