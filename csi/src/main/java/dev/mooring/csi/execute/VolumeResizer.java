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
 * Grows a driver's volumes (spec/expander.md 5). Each step is recorded before the driver is called,
 * so that a crash, a failure or a smaller request resumes correctly. Thread-safe; calls for one
 * claim must not overlap.
 */
public record VolumeResizer(
    DriverSession session,
    DriverOptions options,
    ClusterPorts ports,
    DriverReporter reporter,
    ResizeMemory memory) {
  private ExpansionWriter sizes() {
    return new ExpansionWriter(
        ports.writer(),
        ports.time(),
        ExpansionPolicy.SIDECAR,
        new ClaimStatusWriter(ports.writer(), ports.reader())::write);
  }

  public Outcome sync(Claim claim, Volume volume, boolean inUse) throws InterruptedException {
    Quantity current = claim.status().storage();
    if (volume.meta().hasAnnotation(ResizeConditions.PRE_RESIZE)
        && current.covers(volume.storage())) {
      return Outcome.after(
          "removing the resize annotation of volume " + volume.meta().name(),
          sizes().unmark(volume));
    }
    Optional<DriverIdentity> identity = session.identity();
    if (current.covers(claim.request()) || identity.isEmpty()) {
      return Outcome.SETTLED;
    }
    boolean atDriver = identity.get().can(DriverCapability.EXPAND_VOLUME);
    if (!atDriver && !identity.get().can(DriverCapability.NODE_EXPAND_VOLUME)) {
      return Outcome.SETTLED;
    }
    Optional<String> tooLarge = CsiSizeLimit.refusal(claim.request());
    if (tooLarge.isPresent()) {
      return refusedAsTooLarge(claim, volume, tooLarge.get());
    }
    Optional<Quantity> target =
        ResizeRules.target(claim, volume.storage(), memory.finallyRefused(claim), atDriver);
    return target.isEmpty()
        ? Outcome.SETTLED
        : grow(claim, volume, target.get(), identity.get(), inUse);
  }

  // Only a smaller request helps.
  private Outcome refusedAsTooLarge(Claim claim, Volume volume, String why) {
    if (memory.recordNotCalled(claim, why)) {
      emitFailure(claim, volume, why);
    }
    return new Outcome.GiveUp(new Failure.Rejected(claim.key() + ": " + why));
  }

  private Outcome grow(
      Claim claim, Volume volume, Quantity target, DriverIdentity identity, boolean inUse)
      throws InterruptedException {
    Quantity allocated = claim.status().resize().allocated();
    boolean again = allocated != null && allocated.compareTo(target) == 0;
    Optional<Duration> pause = memory.pause(claim);
    if (again && pause.isPresent()) {
      return new Outcome.CheckAgain(pause.get());
    }
    boolean waits = inUse && memory.refusesInUse(claim);
    if (again && waits) {
      return whileInUse(claim);
    }
    Growth growth = new Growth(claim, volume, target, again, waits);
    if (!identity.can(DriverCapability.EXPAND_VOLUME)) {
      Expanded onNode = new Expanded(target.toBytesCeiling(), true);
      return start(growth, growing -> grown(growing, volume, onNode));
    }
    return switch (request(volume, target, identity)) {
      case CheckResult.Unknown<ExpandRequest>(String why) -> unanswered(claim, volume, why);
      case CheckResult.Invalid<ExpandRequest>(String why) ->
          start(growth, growing -> failed(growing, volume, why));
      case CheckResult.Valid<ExpandRequest>(ExpandRequest call) ->
          start(growth, growing -> expand(growing, volume, call));
    };
  }

  private record Growth(
      Claim claim, Volume volume, Quantity target, boolean again, boolean waits) {}

  // Next step after the claim's status was written.
  @FunctionalInterface
  private interface ClaimStep {
    Outcome of(Claim growing) throws InterruptedException;
  }

  private Outcome start(Growth growth, ClaimStep next) throws InterruptedException {
    Claim claim = growth.claim();
    WriteResult<Claim> written =
        growth.again()
            ? sizes().beginAgain(claim, growth.target())
            : sizes().begin(claim, growth.target(), "");
    if (!(written instanceof WriteResult.Written<Claim>(Claim growing))) {
      return Outcome.after("writing the resize status of claim " + claim.key(), written);
    }
    memory.requestKnown(claim);
    if (growth.waits()) {
      return whileInUse(claim); // an event even if another size was reported
    }
    reporter.resizeStarted(claim, growth.volume());
    memory.clearInUse(claim);
    return next.of(growing);
  }

  // Emits one event. The claim is requeued when no pod uses it.
  private Outcome whileInUse(Claim claim) {
    String why =
        "Unable to expand %s because CSI driver %s only supports offline expansion and volume is currently in-use"
            .formatted(claim.key(), session.driver());
    if (memory.recordNotCalled(claim, why)) {
      reporter.resizeFailed(claim, why);
    }
    return new Outcome.CheckAgain(memory.slowness());
  }

  private Outcome expand(Claim growing, Volume volume, ExpandRequest call)
      throws InterruptedException {
    memory.callStarted(growing);
    return switch (session.call("ControllerExpandVolume", c -> c.expand(call))) {
      case DriverReply.Ok<Expanded>(Expanded expanded)
          when expanded.capacityBytes() < call.requiredBytes() ->
          failed(
              growing,
              volume,
              "the driver answered OK with %s bytes, and %s were requested"
                  .formatted(expanded.capacityBytes(), call.requiredBytes()));
      case DriverReply.Ok<Expanded>(Expanded expanded) -> grown(growing, volume, expanded);
      case DriverReply.Refused<Expanded> refused -> refused(growing, volume, refused);
    };
  }

  private CheckResult<ExpandRequest> request(
      Volume volume, Quantity target, DriverIdentity identity) throws InterruptedException {
    return new VolumeSourceReader(ports.reader(), session.driver())
        .read(volume.meta().name())
        .then(source ->
            new SecretReader(ports.reader())
                .read(source.csi().secret("controllerExpandSecretRef"))
                .then(credentials ->
                    source
                        .access(identity, options)
                        .then(use ->
                            new CheckResult.Valid<>(
                                new ExpandRequest(
                                    source.handle(), target.toBytesCeiling(), use, credentials)))));
  }

  private Outcome grown(Claim claim, Volume volume, Expanded expanded) throws InterruptedException {
    memory.succeeded(claim);
    Quantity size = Quantity.ofBytes(expanded.capacityBytes());
    return switch (sizes().grown(claim, volume, size, expanded.needsNode())) {
      case ExpansionResult.Unwritten(String what, WriteResult<?> why) -> Outcome.after(what, why);
      case ExpansionResult.Written() -> {
        reporter.resizeSucceeded(claim, expanded.needsNode());
        yield Outcome.SETTLED;
      }
    };
  }

  private Outcome refused(Claim claim, Volume volume, DriverReply.Refused<Expanded> refused)
      throws InterruptedException {
    StatusCode code = refused.code();
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.EXPAND, code);
    memory.refused(claim, code);
    if (meaning.isFinal()) {
      sizes()
          .refused(
              claim,
              "failed to expand pvc with " + refused.text(),
              meaning.next() == StatusCodeMeanings.Next.SLOWLY);
    }
    return failed(claim, volume, refused.text());
  }

  private Outcome failed(Claim claim, Volume volume, String why) {
    emitFailure(claim, volume, why);
    return new Outcome.Retry(new Failure.Unreachable(claim.key() + ": " + why));
  }

  // Does not start the growth. Emits one event for the same reason.
  private Outcome unanswered(Claim claim, Volume volume, String why) {
    if (memory.recordNotCalled(claim, why)) {
      emitFailure(claim, volume, why);
    }
    return new Outcome.Unanswered("growing claim " + claim.key() + ": " + why);
  }

  private void emitFailure(Claim claim, Volume volume, String why) {
    reporter.resizeFailed(
        claim,
        "resize volume \"%s\" by resizer \"%s\" failed: %s"
            .formatted(volume.meta().name(), session.driver(), why));
  }
}
