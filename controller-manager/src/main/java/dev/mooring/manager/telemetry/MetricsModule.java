package dev.mooring.manager.telemetry;

import com.google.inject.AbstractModule;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.attachdetach.OutOfServiceController;
import dev.mooring.binder.BinderController;
import dev.mooring.csi.CsiBridge;
import dev.mooring.expander.ExpandController;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.populator.DataSourceValidator;
import dev.mooring.populator.PopulationController;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.provisioner.DeletionVerifier;
import dev.mooring.provisioner.ProvisionControllers;
import dev.mooring.provisioner.UsageController;
import dev.mooring.reconcile.Compat;
import dev.mooring.selinux.SeLinuxWarningController;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.storage.DeletionDelay;
import java.time.Instant;
import java.util.Optional;

/**
 * Binds the metrics of controllers and clients as a set of {@link MetricsSource}. Inject the set
 * only once, because some sources listen to informers and requests.
 */
public final class MetricsModule extends AbstractModule {
  private static final double MILLIS = 1000;

  public MetricsModule() {}

  @ProvidesIntoSet
  MetricsSource runtimeMetrics() {
    return new RuntimeMetrics();
  }

  @ProvidesIntoSet
  MetricsSource requestMetrics(KubeConnection connection) {
    RequestMetrics metrics = new RequestMetrics(connection.host());
    connection.listen(metrics);
    return metrics;
  }

  @ProvidesIntoSet
  MetricsSource objectMetrics(SharedInformers informers, Compat compat) {
    return new ObjectMetrics(
        informers.of(Kind.VOLUME), informers.of(Kind.CLAIM), PluginLabel.of(compat));
  }

  @ProvidesIntoSet
  MetricsSource waitMetrics(
      SharedInformers informers, BinderController binder, Optional<LeaderElection> election) {
    Informer<Claim> claims = informers.of(Kind.CLAIM);
    WaitTimes times =
        new WaitTimes(
            claims,
            () -> System.currentTimeMillis() / MILLIS,
            () -> election.map(LeaderElection::canWrite).orElse(true));
    times.addHandlers(informers.of(Kind.VOLUME), informers.of(Kind.ATTACHMENT));
    return new WaitMetrics(times, claims, claim -> binder.metrics().pendingReasonCode(claim));
  }

  @ProvidesIntoSet
  MetricsSource storageMetrics(
      BinderController binder, AttachDetachController attachDetach, ExpandController expander) {
    return new StorageMetrics(binder.metrics(), attachDetach.metrics(), expander.operations());
  }

  @ProvidesIntoSet
  MetricsSource outOfServiceMetrics(OutOfServiceController outOfService) {
    return families ->
        families
            .gauge(
                "mooring_out_of_service_nodes",
                "Number of nodes with an out-of-service taint that Mooring added and has not yet removed.")
            .put(outOfService.countTainted());
  }

  @ProvidesIntoSet
  MetricsSource driverMetrics(CsiBridge csi, DeletionVerifier verifier) {
    return new DriverMetrics(csi, verifier);
  }

  @ProvidesIntoSet
  MetricsSource provisionMetrics(ProvisionControllers provisioners) {
    return families -> ProvisionMetrics.add(families, provisioners.stats());
  }

  @ProvidesIntoSet
  MetricsSource populatorMetrics(PopulationController populators, DataSourceValidator validator) {
    return families -> PopulatorMetrics.add(families, populators, validator);
  }

  @ProvidesIntoSet
  MetricsSource seLinuxMetrics(SeLinuxWarningController seLinux) {
    return families -> LabelMetrics.add(families, seLinux.conflicts());
  }

  @ProvidesIntoSet
  MetricsSource pluginMetrics(PluginRegistry plugins, UsageController usage) {
    return new PluginMetrics(plugins, usage);
  }

  @ProvidesIntoSet
  MetricsSource leaderMetrics(Optional<LeaderElection> leaderElection) {
    return families ->
        leaderElection.ifPresent(election ->
            families
                .gauge(
                    "leader_election_master_status",
                    "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup,"
                        + " 1 indicates master. 'name' is the string used to identify the lease. Please"
                        + " make sure to group by name.")
                .put(election.canWrite() ? 1 : 0, "name", election.lease().name()));
  }

  @ProvidesIntoSet
  MetricsSource writeMetrics(KubeCluster cluster, EventRecorder events) {
    return families -> {
      families.counter(
          "mooring_api_writes", "Number of write requests to the API server.", cluster.writes());
      families.counter(
          "mooring_api_conflicts",
          "Number of writes that failed with a conflict.",
          cluster.conflicts());
      families.counter(
          "mooring_events_written",
          "Number of events written, including updates of repeated events.",
          events.written());
      families.counter(
          "mooring_events_lost",
          "Number of events dropped: queue full, or rejected by the API server.",
          events.dropped());
    };
  }

  @ProvidesIntoSet
  MetricsSource ephemeralMetrics(EphemeralVolumes ephemeral) {
    return families -> {
      families.counter(
          "ephemeral_volume_controller_create",
          "Number of PersistentVolumeClaims creation requests",
          ephemeral.creates());
      families.counter(
          "ephemeral_volume_controller_create_failures",
          "Number of PersistentVolumeClaim creation requests that failed",
          ephemeral.failures());
    };
  }

  @ProvidesIntoSet
  MetricsSource deletionMetrics(BinderController binder) {
    return families -> {
      families
          .gauge(
              "mooring_deletions_held", "1 while the circuit breaker stops all deletions, else 0.")
          .put(binder.areDeletionsHeld() ? 1 : 0);
      families.counter(
          "mooring_deletion_brake_trips",
          "Number of times the deletion circuit breaker has tripped.",
          binder.breakerTrips());
      DeletionDelay.Backlog condemned = binder.condemnedVolumes();
      families
          .gauge(
              "mooring_condemned_volumes",
              "Number of volumes whose claim is gone and whose storage is destroyed at a deadline.")
          .put(condemned.count());
      families
          .gauge("mooring_condemned_volume_bytes", "Total capacity of the condemned volumes.")
          .put(condemned.bytes());
      families
          .gauge(
              "mooring_condemned_next_deadline_seconds",
              "Earliest deadline of a condemned volume, in seconds since the epoch; 0 without one.")
          .put(condemned.nextDeadline().map(Instant::getEpochSecond).orElse(0L));
    };
  }

  @ProvidesIntoSet
  MetricsSource snapshotMetrics(SnapshotController snapshots) {
    return families ->
        families
            .gauge(
                "mooring_condemned_snapshots",
                "Number of contents whose snapshot is gone and whose data is destroyed at a deadline.")
            .put(snapshots.countCondemned());
  }
}
