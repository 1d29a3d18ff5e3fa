package dev.mooring.expander.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.decide.ExpandDecision;
import dev.mooring.expander.state.GrowerFinder.VolumeGrower;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.ExpansionPolicy;
import dev.mooring.storage.ExpansionWriter;
import java.time.Duration;
import java.util.Optional;

/** Executes decisions: expands volumes, emits events, annotates claims. Thread-safe. */
public final class ExpandExecutor implements SlowWork {
  private final ClusterWriter writer;
  private final ResizeReporter reporter;
  private final ExpansionWriter expansionWriter;
  private final VolumeGrowth growth;

  public ExpandExecutor(ClusterPorts ports, ResizeReporter reporter, VolumeGrowth growth) {
    this.writer = ports.writer();
    this.reporter = reporter;
    this.expansionWriter =
        new ExpansionWriter(ports.writer(), ports.time(), ExpansionPolicy.IN_TREE);
    this.growth = growth;
  }

  public void forget(ObjectKey claim) {
    reporter.forget(claim);
    growth.forget(claim);
  }

  @Override
  public boolean isQuiet() {
    return growth.isQuiet();
  }

  @Override
  public boolean close(Duration grace) throws InterruptedException {
    return growth.close(grace);
  }

  public Outcome execute(
      Claim claim, Volume volume, Optional<VolumeGrower> grower, ExpandDecision decision)
      throws InterruptedException {
    return switch (decision) {
      case ExpandDecision.Nothing() -> {
        reporter.forget(claim.key());
        yield Outcome.SETTLED;
      }
      case ExpandDecision.NotBound(String message) ->
          new Outcome.Retry(new Failure.Rejected(message));
      case ExpandDecision.LeaveToExternalResizer() -> {
        reporter.reportExternalExpansion(
            claim, "waiting for an external controller to expand this PVC");
        yield Outcome.SETTLED;
      }
      case ExpandDecision.HandOver(String plugin, String driver) -> {
        reporter.reportExternalExpansion(
            claim,
            "CSI migration enabled for %s; waiting for external resizer to expand the pvc"
                .formatted(plugin));
        yield annotateClaim(claim, driver);
      }
      case ExpandDecision.RemoveAnnotation() ->
          Outcome.ofWrite(
              "removing the pre-resize annotation of volume " + volume.key().name(),
              expansionWriter.removePreviousCapacity(volume));
      case ExpandDecision.RequestNodeExpansion() -> requestNodeExpansion(claim, volume);
      case ExpandDecision.Grow(Quantity target) -> {
        growth.start(claim, volume, target, grower.orElseThrow());
        yield Outcome.SETTLED;
      }
    };
  }

  // Annotates the volume first: once the claim is pending, no sync checks the volume.
  private Outcome requestNodeExpansion(Claim claim, Volume volume) throws InterruptedException {
    if (!volume.meta().hasAnnotation(ExpandDecider.PRE_RESIZE_CAPACITY)) {
      WriteResult<Volume> annotation =
          expansionWriter.storePreviousCapacity(volume, claim.status().storage());
      if (annotation.toOptional().isEmpty()) {
        return Outcome.ofWrite("marking volume " + volume.key().name(), annotation);
      }
    }
    return Outcome.ofWrite(
        "requesting node expansion of claim " + claim.key(),
        expansionWriter.requestNodeExpansion(claim));
  }

  private Outcome annotateClaim(Claim claim, String driver) throws InterruptedException {
    if (claim.meta().annotation(CsiMigration.RESIZER).equals(driver)) {
      return Outcome.SETTLED;
    }
    return Outcome.ofWrite(
        "marking claim " + claim.key() + " for " + driver,
        writer.patchStatus(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta())
                .set(driver, "metadata", "annotations", CsiMigration.RESIZER)));
  }
}
