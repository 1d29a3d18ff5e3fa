package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.ResizeRules;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.state.ResizeMemory;
import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.ExpandRequest;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.ExpansionPolicy;
import dev.mooring.storage.ExpansionResult;
import dev.mooring.storage.ExpansionWriter;
import dev.mooring.storage.decide.CsiSizeLimit;
import dev.mooring.storage.decide.ResizeConditions;
import java.time.Duration;
import java.util.Optional;

/**
 * Grows a driver's volumes. Each step is recorded before the driver is called, so that a crash, a
 * failure or a smaller request resumes correctly. Thread-safe; calls for one claim must not
 * overlap.
 */
public record VolumeResizer(
    DriverSession session,
    DriverOptions options,
    ClusterPorts ports,
    DriverReporter reporter,
    ResizeMemory memory) {
  private ExpansionWriter expansionWriter() {
    return new ExpansionWriter(
        ports.writer(),
        ports.time(),
        ExpansionPolicy.SIDECAR,
        new ClaimStatusWriter(ports.writer(), ports.reader())::write);
  }

  public Outcome sync(Claim claim, Volume volume, boolean isInUse) throws InterruptedException {
    Quantity current = claim.status().storage();
    if (volume.meta().hasAnnotation(ResizeConditions.PRE_RESIZE)
        && current.covers(volume.storage())) {
      return Outcome.ofWrite(
          "removing the resize annotation of volume " + volume.meta().name(),
          expansionWriter().removePreviousCapacity(volume));
    }
    Optional<DriverIdentity> identity = session.identity();
    if (current.covers(claim.request()) || identity.isEmpty()) {
      return Outcome.SETTLED;
    }
    boolean growsAtDriver = identity.get().can(DriverCapability.EXPAND_VOLUME);
    if (!growsAtDriver && !identity.get().can(DriverCapability.NODE_EXPAND_VOLUME)) {
      return Outcome.SETTLED;
    }
    Optional<String> sizeProblem = CsiSizeLimit.refusal(claim.request());
    if (sizeProblem.isPresent()) {
      return rejectSize(claim, volume, sizeProblem.get());
    }
    Optional<Quantity> target =
        ResizeRules.chooseTarget(
            claim, volume.storage(), memory.isFinallyRefused(claim), growsAtDriver);
    return target.isEmpty()
        ? Outcome.SETTLED
        : grow(claim, volume, target.get(), identity.get(), isInUse);
  }

  // Only a smaller request helps.
  private Outcome rejectSize(Claim claim, Volume volume, String reason) {
    emitOnce(claim, volume, reason);
    return new Outcome.GiveUp(new Failure.Rejected(claim.key() + ": " + reason));
  }

  private Outcome grow(
      Claim claim, Volume volume, Quantity target, DriverIdentity identity, boolean isInUse)
      throws InterruptedException {
    Quantity allocated = claim.status().resize().allocated();
    boolean isRepeated = allocated != null && allocated.compareTo(target) == 0;
    Optional<Duration> pause = memory.remainingPause(claim);
    if (isRepeated && pause.isPresent()) {
      return new Outcome.CheckAgain(pause.get());
    }
    boolean mustWait = isInUse && memory.refusesInUse(claim);
    if (isRepeated && mustWait) {
      return waitUntilUnused(claim);
    }
    Growth growth = new Growth(claim, volume, target, isRepeated, mustWait);
    if (!identity.can(DriverCapability.EXPAND_VOLUME)) {
      Expanded nodeExpansion = new Expanded(target.toBytesCeiling(), true);
      return startGrowth(growth, growingClaim -> recordGrowth(growingClaim, volume, nodeExpansion));
    }
    return switch (prepareRequest(volume, target, identity)) {
      case CheckResult.Unknown<ExpandRequest>(String reason) -> {
        emitOnce(claim, volume, reason);
        yield new Outcome.Unanswered("growing claim " + claim.key() + ": " + reason);
      }
      case CheckResult.Invalid<ExpandRequest>(String reason) -> {
        emitOnce(claim, volume, reason);
        yield retry(claim, reason);
      }
      case CheckResult.Valid<ExpandRequest>(ExpandRequest call) ->
          startGrowth(growth, growingClaim -> expand(growingClaim, volume, call));
    };
  }

  private record Growth(
      Claim claim, Volume volume, Quantity target, boolean isRepeated, boolean mustWait) {}

  // Next step after the claim's status was written.
  @FunctionalInterface
  private interface ClaimStep {
    Outcome run(Claim claim) throws InterruptedException;
  }

  private Outcome startGrowth(Growth growth, ClaimStep next) throws InterruptedException {
    Claim claim = growth.claim();
    WriteResult<Claim> result =
        growth.isRepeated()
            ? expansionWriter().resumeExpansion(claim, growth.target())
            : expansionWriter().startExpansion(claim, growth.target(), "");
    if (!(result instanceof WriteResult.Written<Claim>(Claim growingClaim))) {
      return Outcome.ofWrite("writing the resize status of claim " + claim.key(), result);
    }
    memory.forgetNotCalled(claim);
    if (growth.mustWait()) {
      return waitUntilUnused(claim); // an event even if another size was reported
    }
    reporter.resizeStarted(claim, growth.volume());
    memory.clearInUse(claim);
    return next.run(growingClaim);
  }

  // Emits one event. The claim is requeued when no pod uses it.
  private Outcome waitUntilUnused(Claim claim) {
    String message =
        "Unable to expand %s because CSI driver %s only supports offline expansion and volume is currently in-use"
            .formatted(claim.key(), session.driver());
    if (memory.recordNotCalled(claim, message)) {
      reporter.resizeFailed(claim, message);
    }
    return new Outcome.CheckAgain(memory.infeasibleDelay());
  }

  private Outcome expand(Claim claim, Volume volume, ExpandRequest call)
      throws InterruptedException {
    memory.recordCallStart(claim);
    return switch (session.call("ControllerExpandVolume", c -> c.expand(call))) {
      case DriverReply.Ok<Expanded>(Expanded expanded)
          when expanded.capacityBytes() < call.requiredBytes() -> {
        memory.recordShortGrowth(claim);
        yield reportFailure(
            claim,
            volume,
            "the driver answered OK with %s bytes, and %s were requested"
                .formatted(expanded.capacityBytes(), call.requiredBytes()));
      }
      case DriverReply.Ok<Expanded>(Expanded expanded) -> recordGrowth(claim, volume, expanded);
      case DriverReply.Refused<Expanded> refusal -> handleRefusal(claim, volume, refusal);
    };
  }

  private CheckResult<ExpandRequest> prepareRequest(
      Volume volume, Quantity target, DriverIdentity identity) throws InterruptedException {
    return new VolumeSourceReader(ports.reader(), session.driver())
        .read(volume.meta().name())
        .then(source ->
            new SecretReader(ports.reader())
                .read(source.secretRef("controllerExpandSecretRef"))
                .then(credentials ->
                    source
                        .access(identity, options)
                        .then(access ->
                            new CheckResult.Valid<>(
                                new ExpandRequest(
                                    source.handle(),
                                    target.toBytesCeiling(),
                                    access,
                                    credentials)))));
  }

  private Outcome recordGrowth(Claim claim, Volume volume, Expanded expanded)
      throws InterruptedException {
    memory.recordSuccess(claim);
    Quantity size = Quantity.ofBytes(expanded.capacityBytes());
    return switch (expansionWriter().recordGrowth(claim, volume, size, expanded.needsNode())) {
      case ExpansionResult.Unwritten(String action, WriteResult<?> result) ->
          Outcome.ofWrite(action, result);
      case ExpansionResult.Written() -> {
        reporter.resizeSucceeded(claim, expanded.needsNode());
        yield Outcome.SETTLED;
      }
    };
  }

  private Outcome handleRefusal(Claim claim, Volume volume, DriverReply.Refused<Expanded> refusal)
      throws InterruptedException {
    StatusCode code = refusal.code();
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.EXPAND, code);
    memory.recordRefusal(claim, code);
    if (meaning.isFinal()) {
      expansionWriter()
          .recordFailure(
              claim,
              "failed to expand pvc with " + refusal.text(),
              meaning.retry() == StatusCodeMeanings.Retry.SLOWLY);
    }
    return reportFailure(claim, volume, refusal.text());
  }

  private Outcome reportFailure(Claim claim, Volume volume, String reason) {
    emitFailure(claim, volume, reason);
    return retry(claim, reason);
  }

  private static Outcome retry(Claim claim, String reason) {
    return new Outcome.Retry(new Failure.Unreachable(claim.key() + ": " + reason));
  }

  // The driver is not called, so the growth does not start. Emits one event for the same reason.
  private void emitOnce(Claim claim, Volume volume, String reason) {
    if (memory.recordNotCalled(claim, reason)) {
      emitFailure(claim, volume, reason);
    }
  }

  private void emitFailure(Claim claim, Volume volume, String reason) {
    reporter.resizeFailed(
        claim,
        "resize volume \"%s\" by resizer \"%s\" failed: %s"
            .formatted(volume.meta().name(), session.driver(), reason));
  }
}
