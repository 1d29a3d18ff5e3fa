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
  private final BooleanSupplier leads;
  private final OperationStats stats = new OperationStats(BOUNDS);

  WaitTimes(Informer<Claim> claims, DoubleSupplier now, BooleanSupplier leads) {
    this.claims = claims;
    this.now = now;
    this.leads = leads;
  }

  List<OperationStats.Durations> read() {
    return stats.read();
  }

  boolean counts() {
    return leads.getAsBoolean();
  }

  double age(Meta meta) {
    return meta.created() == 0 ? 0 : Math.max(0, now.getAsDouble() - meta.created());
  }

  private void ended(String operation, String by, boolean done, long since) {
    if (since > 0 && counts()) {
      double seconds = Math.max(0, now.getAsDouble() - since);
      stats.took(
          new OperationStats.Sort(by.isEmpty() ? NONE : by, operation, done),
          (long) (seconds * NANOS));
    }
  }

  void ofClaim(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim claim) -> {
        if (claims.isSynced() && claim.phase() == ClaimPhase.BOUND) {
          ended("bind", by(claim), true, claim.meta().created());
        }
      }
      case Change.Updated<Claim>(Claim before, Claim claim) -> {
        if (!isGiven(before) && claim.phase() == ClaimPhase.BOUND) {
          ended("bind", by(claim), true, claim.meta().created());
        }
        resized(before, claim);
      }
      case Change.Deleted<Claim>(Claim last) -> {
        if (!isGiven(last)) {
          ended("bind", by(last), false, last.meta().created());
        }
        ended("delete-claim", by(last), true, last.meta().deleted());
      }
    }
  }

  private static boolean isGiven(Claim claim) {
    return claim.phase() == ClaimPhase.BOUND || claim.phase() == ClaimPhase.LOST;
  }

  private static String by(Claim claim) {
    return claim.meta().annotation(PROVISIONER);
  }

  private void resized(Claim before, Claim claim) {
    boolean has = claim.status().storage().covers(claim.request());
    if (has && !before.status().storage().covers(before.request())) {
      ended("resize", by(claim), true, growing(before));
    } else if (isRefused(claim) && !isRefused(before)) {
      ended("resize", by(claim), false, growing(before));
    }
  }

  private static long growing(Claim claim) {
    return claim.status().conditions().stream()
        .filter(c -> c.type().equals("Resizing") || c.type().equals("FileSystemResizePending"))
        .mapToLong(Condition::changed)
        .filter(time -> time > 0)
        .min()
        .orElse(0);
  }

  private static boolean isRefused(Claim claim) {
    ResizeState state = claim.status().resize().state();
    return state == ResizeState.CONTROLLER_INFEASIBLE || state == ResizeState.NODE_INFEASIBLE;
  }

  void ofVolume(Change<Volume> change, boolean known) {
    switch (change) {
      case Change.Added<Volume>(Volume volume) -> {
        String by = volume.meta().annotation(PROVISIONED_BY);
        ClaimRef ref = volume.claimRef();
        if (known && !by.isEmpty() && ref != null) {
          claims
              .get(ref.claim())
              .filter(claim -> claim.meta().uid().equals(ref.uid()))
              .ifPresent(claim -> ended("provision", by, true, claim.meta().created()));
        }
      }
      case Change.Updated<Volume> _ -> {}
      case Change.Deleted<Volume>(Volume last) ->
          ended("delete-volume", by(last), true, last.meta().deleted());
    }
  }

  private static String by(Volume volume) {
    String by = volume.meta().annotation(PROVISIONED_BY);
    return by.isEmpty() ? volume.source().attribute("driver") : by;
  }

  void ofAttachment(Change<Attachment> change) {
    switch (change) {
      case Change.Added<Attachment> _ -> {}
      case Change.Updated<Attachment>(Attachment before, Attachment after) -> {
        if (!before.attached() && after.attached()) {
          ended("attach", after.attacher(), true, after.meta().created());
        }
      }
      case Change.Deleted<Attachment>(Attachment last) -> {
        Meta meta = last.meta();
        if (last.attached() || !last.detachError().isEmpty()) {
          ended("detach", last.attacher(), true, meta.deleted());
        } else {
          ended("attach", last.attacher(), false, meta.created());
        }
      }
    }
  }

  void listen(Informer<Volume> volumes, Informer<Attachment> attachments) {
    claims.onChange(this::ofClaim);
    volumes.onChange(change -> ofVolume(change, volumes.isSynced()));
    attachments.onChange(this::ofAttachment);
  }
}
