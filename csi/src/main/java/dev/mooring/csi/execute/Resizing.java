package dev.mooring.csi.execute;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.ResizeRules;
import dev.mooring.csi.driver.DriverSession;
import dev.mooring.csi.execute.SourceReader.Source;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.Expand;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Grows a driver's volumes (spec/expander.md 5). What is going to be done is written down before
 * the driver is asked, so that a smaller wish, a failure or a crash is gone on from. Thread-safe;
 * for one claim never called twice at once.
 */
public final class Resizing {
  private static final String STATUS = "status";
  private static final String STATES = "allocatedResourceStatuses";
  private static final String STORAGE = "storage";
  private static final String PRE_RESIZE = "volume.alpha.kubernetes.io/pre-resize-capacity";
  private static final String NO_NODE = "volume.kubernetes.io/node-expansion-not-required";
  private static final String NODE_HAS_TO =
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

  private final DriverSession session;
  private final DriverOptions options;
  private final ClusterWriter writer;
  private final SourceReader sources;
  private final SecretReader secrets;
  private final ClaimReports reports;
  private final ResizeMemory memory;
  private final DriverReporter reporter;
  private final Time time;

  /**
   * Grows nothing yet.
   *
   * @param slowness how long a size is not asked for again that the driver called infeasible
   */
  public Resizing(
      DriverSession session,
      DriverOptions options,
      ClusterPorts ports,
      DriverReporter reporter,
      Duration slowness) {
    this.session = session;
    this.options = options;
    this.writer = ports.writer();
    this.sources = new SourceReader(ports.reader(), session.driver());
    this.secrets = new SecretReader(ports.reader());
    this.reports = new ClaimReports(ports.writer(), ports.reader());
    this.memory = new ResizeMemory(ports.time(), slowness);
    this.reporter = reporter;
    this.time = ports.time();
  }

  /** The claim is gone: so is what was remembered of it. */
  public void forget(Claim claim) {
    memory.forget(claim);
  }

  /**
   * Grows the claim's volume as far as it is not.
   *
   * @param inUse whether a pod uses it
   */
  public Outcome sync(Claim claim, Volume volume, boolean inUse) throws InterruptedException {
    Quantity given = claim.status().storage();
    if (volume.meta().has(PRE_RESIZE) && given.covers(volume.storage())) {
      return Outcome.after(
          "removing the mark of volume " + volume.meta().name(),
          writer.patch(
              Kind.VOLUME,
              volume.key(),
              Document.patchOf(volume.meta()).set(null, "metadata", "annotations", PRE_RESIZE)));
    }
    Optional<Identity> identity = session.identity();
    if (given.covers(claim.request()) || identity.isEmpty()) {
      return Outcome.SETTLED;
    }
    boolean atDriver = identity.get().can(Ability.EXPAND_VOLUME);
    if (!atDriver && !identity.get().can(Ability.NODE_EXPAND_VOLUME)) {
      return Outcome.SETTLED;
    }
    Optional<Quantity> target =
        ResizeRules.target(claim, volume.storage(), memory.refusedForGood(claim), atDriver);
    return target.isEmpty()
        ? Outcome.SETTLED
        : grow(claim, volume, target.get(), identity.get(), inUse);
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
    Growth growth = new Growth(claim, volume, target, again, inUse);
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
   * @param inUse whether a pod uses it
   */
  private record Growth(
      Claim claim, Volume volume, Quantity target, boolean again, boolean inUse) {}

  /** What follows when the claim says that it grows. */
  @FunctionalInterface
  private interface Next {
    Outcome of(Claim growing) throws InterruptedException;
  }

  private Outcome begun(Growth growth, Next next) throws InterruptedException {
    Claim claim = growth.claim();
    WriteResult<Claim> begun = begin(claim, growth.target(), growth.again());
    if (!(begun instanceof WriteResult.Written<Claim>(Claim growing))) {
      return Outcome.after("writing that claim " + claim.key() + " grows", begun);
    }
    if (options.claims().waitWhileInUse() && memory.refusesInUse(claim) && growth.inUse()) {
      String why =
          "Unable to expand "
              + claim.key()
              + " because CSI driver "
              + session.driver()
              + " only supports offline expansion and volume is currently in-use";
      reporter.notResized(claim, why);
      return new Outcome.Retry(new Failure.InUse(why));
    }
    memory.answered(claim);
    reporter.resizes(claim, growth.volume());
    memory.allowInUse(claim);
    return next.of(growing);
  }

  private Outcome ask(Claim growing, Volume volume, Expand asked) throws InterruptedException {
    return switch (session.call("ControllerExpandVolume", c -> c.expand(asked))) {
      case Reply.Ok<Expanded>(Expanded expanded) -> grown(growing, volume, expanded);
      case Reply.Refused<Expanded> refused -> refused(growing, volume, refused);
    };
  }

  private Checked<Expand> request(Volume volume, Quantity target, Identity identity)
      throws InterruptedException {
    return switch (sources.read(volume.meta().name())) {
      case Checked.Invalid<Source>(String why) -> new Checked.Invalid<>(why);
      case Checked.Unknown<Source>(String why) -> new Checked.Unknown<>(why);
      case Checked.Valid<Source>(Source source) -> {
        Checked<Secrets> credentials =
            secrets.read(source.csi().secret("controllerExpandSecretRef"));
        yield credentials.then(known ->
            source
                .access(identity, options)
                .then(use ->
                    new Checked.Valid<>(
                        new Expand(source.handle(), target.toBytesCeiling(), use, known))));
      }
    };
  }

  private WriteResult<Claim> begin(Claim claim, Quantity target, boolean again)
      throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(target.toString(), STATUS, "allocatedResources", STORAGE)
            .set(null, "metadata", "annotations", NO_NODE);
    if (!again) {
      patch.set(ResizeState.CONTROLLER_IN_PROGRESS.text(), STATUS, STATES, STORAGE);
    }
    return patchStatus(
        claim,
        patch,
        ResizeRules.with(claim.status().conditions(), holds(ResizeRules.RESIZING, ""), again));
  }

  private Outcome grown(Claim claim, Volume volume, Expanded expanded) throws InterruptedException {
    memory.succeeded(claim);
    Quantity size = Quantity.ofBytes(expanded.capacityBytes());
    Document patch =
        Document.patchOf(volume.meta()).set(size.toString(), "spec", "capacity", STORAGE);
    if (expanded.needsNode() && !volume.meta().has(PRE_RESIZE)) {
      patch.set(claim.status().storage().toString(), "metadata", "annotations", PRE_RESIZE);
    }
    WriteResult<Volume> written = writer.patch(Kind.VOLUME, volume.key(), patch);
    if (written.written().isEmpty()) {
      return Outcome.after("writing the size of volume " + volume.meta().name(), written);
    }
    WriteResult<Claim> ended = expanded.needsNode() ? nodeHasTo(claim) : finished(claim, size);
    if (ended.written().isPresent()) {
      reporter.resized(claim, expanded.needsNode());
    }
    return Outcome.after("writing how large claim " + claim.key() + " is", ended);
  }

  private WriteResult<Claim> nodeHasTo(Claim claim) throws InterruptedException {
    return reports.write(
        claim,
        now ->
            ClaimConditions.set(
                Document.patchOf(now.meta())
                    .set(ResizeState.NODE_PENDING.text(), STATUS, STATES, STORAGE),
                ResizeRules.with(
                    now.status().conditions(),
                    holds(ResizeRules.NODE_PENDING, NODE_HAS_TO),
                    true)));
  }

  private WriteResult<Claim> finished(Claim claim, Quantity size) throws InterruptedException {
    return reports.write(
        claim,
        now ->
            ClaimConditions.set(
                Document.patchOf(now.meta())
                    .set(size.toString(), STATUS, "capacity", STORAGE)
                    .set(null, STATUS, STATES)
                    .set("true", "metadata", "annotations", NO_NODE),
                ResizeRules.without(now.status().conditions())));
  }

  private Outcome refused(Claim claim, Volume volume, Reply.Refused<Expanded> refused)
      throws InterruptedException {
    StatusCode code = refused.code();
    Codes.Meaning meaning = Codes.of(Codes.Call.EXPAND, code);
    boolean infeasible = meaning.next() == Codes.Next.SLOWLY;
    memory.refused(claim, code);
    if (meaning.isFinal()) {
      reports.write(claim, now -> refusal(now, refused, infeasible));
    }
    return failed(claim, volume, refused.text());
  }

  private Document refusal(Claim claim, Reply.Refused<Expanded> refused, boolean infeasible) {
    Document patch = Document.patchOf(claim.meta());
    if (infeasible) {
      patch.set(ResizeState.CONTROLLER_INFEASIBLE.text(), STATUS, STATES, STORAGE);
    }
    return ClaimConditions.set(
        patch,
        ResizeRules.with(
            claim.status().conditions(),
            holds(ResizeRules.CONTROLLER_ERROR, "failed to expand pvc with " + refused.text()),
            true));
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

  private Condition holds(String type, String message) {
    return new Condition(type, "True", "", message, 0, time.now().getEpochSecond());
  }

  private WriteResult<Claim> patchStatus(Claim claim, Document patch, List<Condition> conditions)
      throws InterruptedException {
    return writer.patchStatus(Kind.CLAIM, claim.key(), ClaimConditions.set(patch, conditions));
  }
}
