package dev.mooring.manager.telemetry;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/**
 * Waiting times of users. A wait begins with a timestamp of the object: creation, deletion request,
 * or start of an expansion. So a wait that outlives this process is counted in full by its
 * successor. A wait that ends while no process runs is not counted. Thread-safe; event handlers
 * only count.
 */
final class WaitTimes {
  static final List<Double> BOUNDS =
      List.of(.5, 1., 2.5, 5., 10., 30., 60., 120., 300., 600., 1800., 3600.);

  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
  private static final String NONE = "none";
  private static final double NANOS = 1e9;

  private final Informer<Claim> claims;
  private final DoubleSupplier now;
  private final BooleanSupplier isLeader;
  private final OperationStats stats = new OperationStats(BOUNDS);

  WaitTimes(Informer<Claim> claims, DoubleSupplier now, BooleanSupplier isLeader) {
    this.claims = claims;
    this.now = now;
    this.isLeader = isLeader;
  }

  List<OperationStats.Durations> read() {
    return stats.read();
  }

  boolean isLeading() {
    return isLeader.getAsBoolean();
  }

  double age(Meta meta) {
    return meta.created() == 0 ? 0 : Math.max(0, now.getAsDouble() - meta.created());
  }

  private void recordWait(String operation, String provisioner, boolean succeeded, long start) {
    if (start > 0 && isLeading()) {
      double seconds = Math.max(0, now.getAsDouble() - start);
      stats.recordDuration(
          new OperationStats.Labels(
              provisioner.isEmpty() ? NONE : provisioner, operation, succeeded),
          (long) (seconds * NANOS));
    }
  }

  void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim claim) -> {
        if (claims.isSynced() && claim.phase() == ClaimPhase.BOUND) {
          recordWait("bind", provisioner(claim), true, claim.meta().created());
        }
      }
      case Change.Updated<Claim>(Claim old, Claim claim) -> {
        if (!isBoundOrLost(old) && claim.phase() == ClaimPhase.BOUND) {
          recordWait("bind", provisioner(claim), true, claim.meta().created());
        }
        recordResize(old, claim);
      }
      case Change.Deleted<Claim>(Claim last, _) -> {
        if (!isBoundOrLost(last)) {
          recordWait("bind", provisioner(last), false, last.meta().created());
        }
        recordWait("delete-claim", provisioner(last), true, last.meta().deleted());
      }
    }
  }

  private static boolean isBoundOrLost(Claim claim) {
    return claim.phase() == ClaimPhase.BOUND || claim.phase() == ClaimPhase.LOST;
  }

  private static String provisioner(Claim claim) {
    return claim.meta().annotation(PROVISIONER);
  }

  private void recordResize(Claim old, Claim claim) {
    boolean isResized = claim.status().storage().covers(claim.request());
    if (isResized && !old.status().storage().covers(old.request())) {
      recordWait("resize", provisioner(claim), true, resizeStart(old));
    } else if (isResizeInfeasible(claim) && !isResizeInfeasible(old)) {
      recordWait("resize", provisioner(claim), false, resizeStart(old));
    }
  }

  private static long resizeStart(Claim claim) {
    return claim.status().conditions().stream()
        .filter(c -> c.type().equals("Resizing") || c.type().equals("FileSystemResizePending"))
        .mapToLong(Condition::changed)
        .filter(time -> time > 0)
        .min()
        .orElse(0);
  }

  private static boolean isResizeInfeasible(Claim claim) {
    ResizeState state = claim.status().resize().state();
    return state == ResizeState.CONTROLLER_INFEASIBLE || state == ResizeState.NODE_INFEASIBLE;
  }

  void volumeChanged(Change<Volume> change, boolean isSynced) {
    switch (change) {
      case Change.Added<Volume>(Volume volume) -> {
        String provisioner = volume.meta().annotation(PROVISIONED_BY);
        ClaimRef ref = volume.claimRef();
        if (isSynced && !provisioner.isEmpty() && ref != null) {
          claims
              .get(ref.claim())
              .filter(claim -> claim.meta().uid().equals(ref.uid()))
              .ifPresent(
                  claim -> recordWait("provision", provisioner, true, claim.meta().created()));
        }
      }
      case Change.Updated<Volume> _ -> {}
      case Change.Deleted<Volume>(Volume last, _) ->
          recordWait("delete-volume", provisioner(last), true, last.meta().deleted());
    }
  }

  private static String provisioner(Volume volume) {
    String provisioner = volume.meta().annotation(PROVISIONED_BY);
    return provisioner.isEmpty() ? volume.source().attribute("driver") : provisioner;
  }

  void attachmentChanged(Change<Attachment> change) {
    switch (change) {
      case Change.Added<Attachment> _ -> {}
      case Change.Updated<Attachment>(Attachment old, Attachment after) -> {
        if (!old.attached() && after.attached()) {
          recordWait("attach", after.attacher(), true, after.meta().created());
        }
      }
      case Change.Deleted<Attachment>(Attachment last, _) -> {
        Meta meta = last.meta();
        if (last.attached() || !last.detachError().isEmpty()) {
          recordWait("detach", last.attacher(), true, meta.deleted());
        } else {
          recordWait("attach", last.attacher(), false, meta.created());
        }
      }
    }
  }

  void addHandlers(Informer<Volume> volumes, Informer<Attachment> attachments) {
    claims.onChange(this::claimChanged);
    volumes.onChange(change -> volumeChanged(change, volumes.isSynced()));
    attachments.onChange(this::attachmentChanged);
  }
}
