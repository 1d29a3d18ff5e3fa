package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.ResizeRules;
import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.Expand;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.GrowthPolicy;
import dev.mooring.storage.GrowthResult;
import dev.mooring.storage.GrowthWriter;
import dev.mooring.storage.decide.CsiSizeLimit;
import dev.mooring.storage.decide.ResizeConditions;
import java.time.Duration;
import java.util.Optional;

/**
 * Grows a driver's volumes (spec/expander.md 5). What is going to be done is written down before
 * the driver is asked, so that a smaller wish, a failure or a crash is gone on from. Thread-safe;
 * for one claim never called twice at once.
 */
public final class Resizing {
  private final DriverSession session;
  private final DriverOptions options;
  private final SourceReader sources;
  private final SecretReader secrets;
  private final GrowthWriter sizes;
  private final ResizeMemory memory;
  private final Duration slowness;
  private final DriverReporter reporter;

  /**
   * Grows nothing yet.
   *
   * @param slowness how long a size is not asked for again that the driver called infeasible, or a
   *     claim not looked at by itself whose volume has to be free first
   */
  public Resizing(
      DriverSession session,
      DriverOptions options,
      ClusterPorts ports,
      DriverReporter reporter,
      Duration slowness) {
    this.session = session;
    this.options = options;
    this.sources = new SourceReader(ports.reader(), session.driver());
    this.secrets = new SecretReader(ports.reader());
    this.sizes =
        new GrowthWriter(
            ports.writer(),
            ports.time(),
            GrowthPolicy.SIDECAR,
            new ClaimReports(ports.writer(), ports.reader())::write);
    this.memory = new ResizeMemory(ports.time(), slowness);
    this.slowness = slowness;
    this.reporter = reporter;
  }

  /** The claim is gone: so is what was remembered of it. */
  public void forget(Claim claim) {
    memory.forget(claim);
  }

  /** Whether the driver has refused to grow it in use, or may be about to. */
  public boolean mayBeRefusedInUse(Claim claim) {
    return options.claims().waitWhileInUse() && memory.mayRefuseInUse(claim);
  }

  /**
   * Its volume is on no node: the driver is asked again, whatever pods wait for it.
   *
   * @return whether it had refused, or may be about to
   */
  public boolean free(Claim claim) {
    return memory.free(claim) && options.claims().waitWhileInUse();
  }

  /** The driver may be another one, which grows what is in use. */
  public void driverIsReady() {
    memory.freeAll();
  }

  /**
   * Grows the claim's volume as far as it is not.
   *
   * @param inUse whether a pod uses it
   */
  public Outcome sync(Claim claim, Volume volume, boolean inUse) throws InterruptedException {
    Quantity given = claim.status().storage();
    if (volume.meta().has(ResizeConditions.PRE_RESIZE) && given.covers(volume.storage())) {
      return Outcome.after(
          "removing the mark of volume " + volume.meta().name(), sizes.unmark(volume));
    }
    Optional<Identity> identity = session.identity();
    if (given.covers(claim.request()) || identity.isEmpty()) {
      return Outcome.SETTLED;
    }
    boolean atDriver = identity.get().can(Ability.EXPAND_VOLUME);
    if (!atDriver && !identity.get().can(Ability.NODE_EXPAND_VOLUME)) {
      return Outcome.SETTLED;
    }
    Optional<String> tooLarge = CsiSizeLimit.refusal(claim.request());
    if (tooLarge.isPresent()) {
      return refusedAsTooLarge(claim, volume, tooLarge.get());
    }
    Optional<Quantity> target =
        ResizeRules.target(claim, volume.storage(), memory.refusedForGood(claim), atDriver);
    return target.isEmpty()
        ? Outcome.SETTLED
        : grow(claim, volume, target.get(), identity.get(), inUse);
  }

  /** Only another request of the claim helps. */
  private Outcome refusedAsTooLarge(Claim claim, Volume volume, String why) {
    if (memory.isNews(claim, why)) {
      say(claim, volume, why);
    }
    return new Outcome.GiveUp(new Failure.Rejected(claim.key() + ": " + why));
  }

  private Outcome grow(
      Claim claim, Volume volume, Quantity target, Identity identity, boolean inUse)
      throws InterruptedException {
    Quantity allocated = claim.status().resize().allocated();
    boolean again = allocated != null && allocated.compareTo(target) == 0;
    Optional<Duration> pause = memory.pause(claim);
    if (again && pause.isPresent()) {
      return new Outcome.CheckAgain(pause.get());
    }
    boolean waits = inUse && options.claims().waitWhileInUse() && memory.refusesInUse(claim);
    if (again && waits) {
      return whileInUse(claim);
    }
    Growth growth = new Growth(claim, volume, target, again, waits);
    if (!identity.can(Ability.EXPAND_VOLUME)) {
      Expanded onNode = new Expanded(target.toBytesCeiling(), true);
      return begun(growth, growing -> grown(growing, volume, onNode));
    }
    return switch (request(volume, target, identity)) {
      case Checked.Unknown<Expand>(String why) -> unanswered(claim, volume, why);
      case Checked.Invalid<Expand>(String why) ->
          begun(growth, growing -> failed(growing, volume, why));
      case Checked.Valid<Expand>(Expand asked) ->
          begun(growth, growing -> ask(growing, volume, asked));
    };
  }

  /**
   * One claim that is to grow.
   *
   * @param again whether the claim says so already
   * @param waits whether a pod uses it, and the driver has refused what may be because of that
   */
  private record Growth(
      Claim claim, Volume volume, Quantity target, boolean again, boolean waits) {}

  /** What follows when the claim says that it grows. */
  @FunctionalInterface
  private interface Next {
    Outcome of(Claim growing) throws InterruptedException;
  }

  private Outcome begun(Growth growth, Next next) throws InterruptedException {
    Claim claim = growth.claim();
    WriteResult<Claim> begun =
        growth.again()
            ? sizes.beginAgain(claim, growth.target())
            : sizes.begin(claim, growth.target(), "");
    if (!(begun instanceof WriteResult.Written<Claim>(Claim growing))) {
      return Outcome.after("writing that claim " + claim.key() + " grows", begun);
    }
    memory.answered(claim);
    if (growth.waits()) {
      return whileInUse(claim); // for another size: that is news
    }
    reporter.resizes(claim, growth.volume());
    memory.free(claim);
    return next.of(growing);
  }

  /** Said once, and nothing is asked: the claim is looked at when no pod uses it any more. */
  private Outcome whileInUse(Claim claim) {
    String why =
        "Unable to expand "
            + claim.key()
            + " because CSI driver "
            + session.driver()
            + " only supports offline expansion and volume is currently in-use";
    if (memory.isNews(claim, why)) {
      reporter.notResized(claim, why);
    }
    return new Outcome.CheckAgain(slowness);
  }

  private Outcome ask(Claim growing, Volume volume, Expand asked) throws InterruptedException {
    memory.asks(growing);
    return switch (session.call("ControllerExpandVolume", c -> c.expand(asked))) {
      case Reply.Ok<Expanded>(Expanded expanded)
          when expanded.capacityBytes() < asked.requiredBytes() ->
          failed(
              growing,
              volume,
              "the driver answers OK with "
                  + expanded.capacityBytes()
                  + " bytes, and "
                  + asked.requiredBytes()
                  + " were requested");
      case Reply.Ok<Expanded>(Expanded expanded) -> grown(growing, volume, expanded);
      case Reply.Refused<Expanded> refused -> refused(growing, volume, refused);
    };
  }

  private Checked<Expand> request(Volume volume, Quantity target, Identity identity)
      throws InterruptedException {
    return sources
        .read(volume.meta().name())
        .then(source ->
            secrets
                .read(source.csi().secret("controllerExpandSecretRef"))
                .then(known ->
                    source
                        .access(identity, options)
                        .then(use ->
                            new Checked.Valid<>(
                                new Expand(
                                    source.handle(), target.toBytesCeiling(), use, known)))));
  }

  private Outcome grown(Claim claim, Volume volume, Expanded expanded) throws InterruptedException {
    memory.succeeded(claim);
    Quantity size = Quantity.ofBytes(expanded.capacityBytes());
    return switch (sizes.grown(claim, volume, size, expanded.needsNode())) {
      case GrowthResult.Unwritten(String what, WriteResult<?> why) -> Outcome.after(what, why);
      case GrowthResult.Written() -> {
        reporter.resized(claim, expanded.needsNode());
        yield Outcome.SETTLED;
      }
    };
  }

  private Outcome refused(Claim claim, Volume volume, Reply.Refused<Expanded> refused)
      throws InterruptedException {
    StatusCode code = refused.code();
    Codes.Meaning meaning = Codes.of(Codes.Call.EXPAND, code);
    memory.refused(claim, code);
    if (meaning.isFinal()) {
      sizes.refused(
          claim,
          "failed to expand pvc with " + refused.text(),
          meaning.next() == Codes.Next.SLOWLY);
    }
    return failed(claim, volume, refused.text());
  }

  private Outcome failed(Claim claim, Volume volume, String why) {
    say(claim, volume, why);
    return new Outcome.Retry(new Failure.Unreachable(claim.key() + ": " + why));
  }

  /** Nothing is begun, and it is said once, however soon it is tried again. */
  private Outcome unanswered(Claim claim, Volume volume, String why) {
    if (memory.isNews(claim, why)) {
      say(claim, volume, why);
    }
    return new Outcome.Unanswered("growing claim " + claim.key() + ": " + why);
  }

  private void say(Claim claim, Volume volume, String why) {
    reporter.notResized(
        claim,
        "resize volume \""
            + volume.meta().name()
            + "\" by resizer \""
            + session.driver()
            + "\" failed: "
            + why);
  }
}
