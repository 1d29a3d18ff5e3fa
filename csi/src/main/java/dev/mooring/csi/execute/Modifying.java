package dev.mooring.csi.execute;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.ModifyRules;
import dev.mooring.csi.decide.ModifyRules.Plan;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.execute.SourceReader.Source;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes a driver's volumes to other VolumeAttributesClasses (spec/expander.md 6). Thread-safe;
 * for one claim never called twice at once.
 */
public final class Modifying {
  private static final String STATUS = "status";
  private static final String MODIFY_STATUS = "modifyVolumeStatus";
  private static final Duration MISSING = Duration.ofSeconds(30);

  /** A class that the driver refused for a claim, and until when it is not asked again. */
  private record Slow(String target, long until) {}

  private final DriverSession session;
  private final DriverOptions options;
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final SourceReader sources;
  private final SecretReader secrets;
  private final ClaimReports reports;
  private final DriverReporter reporter;
  private final Time time;
  private final Duration slowness;
  private final Set<Uid> settled = ConcurrentHashMap.newKeySet();
  private final Map<Uid, Slow> slow = new ConcurrentHashMap<>();

  /**
   * Changes nothing yet.
   *
   * @param slowness how long a class is not asked for again that the driver called infeasible
   */
  public Modifying(
      DriverSession session,
      DriverOptions options,
      ClusterPorts ports,
      DriverReporter reporter,
      Duration slowness) {
    this.session = session;
    this.options = options;
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.sources = new SourceReader(ports.reader(), session.driver());
    this.secrets = new SecretReader(ports.reader());
    this.reports = new ClaimReports(ports.writer(), ports.reader());
    this.reporter = reporter;
    this.time = ports.time();
    this.slowness = slowness;
  }

  /** The claim is gone: so is what was remembered of it. */
  public void forget(Claim claim) {
    settled.remove(claim.meta().uid());
    slow.remove(claim.meta().uid());
  }

  /** Changes the claim's volume to the class that it asks for. */
  public Outcome sync(Claim claim, Volume volume) throws InterruptedException {
    Optional<Identity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(Ability.MODIFY_VOLUME)) {
      return Outcome.SETTLED;
    }
    // what another life of this process asked may still be running
    boolean uncertain = !settled.contains(claim.meta().uid());
    return switch (ModifyRules.plan(claim, uncertain)) {
      case Plan.Nothing() -> Outcome.SETTLED;
      case Plan.Cancel() -> {
        reporter.notModifiedAfterAll(claim);
        yield outcome(
            claim,
            patchStatus(
                claim,
                Document.patchOf(claim.meta()),
                ModifyRules.without(claim.status().conditions())));
      }
      case Plan.Change(String target) -> change(claim, volume, target);
    };
  }

  private Outcome change(Claim claim, Volume volume, String target) throws InterruptedException {
    Slow entry = slow.get(claim.meta().uid());
    if (entry != null && entry.target().equals(target)) {
      long left = entry.until() - time.nanos();
      if (left > 0) {
        return new Outcome.CheckAgain(Duration.ofNanos(left));
      }
    }
    slow.remove(claim.meta().uid());
    ObjectKey key = ObjectKey.cluster(target);
    if (!key.flaw().isEmpty()) {
      return missing(claim, target);
    }
    return switch (reader.read(Kind.ATTRIBUTES_CLASS, key)) {
      case ReadResult.Found<AttributesClass>(AttributesClass found) ->
          switch (addressed(volume)) {
            case Checked.Unknown<Addressed>(String why) -> unanswered(claim, why);
            case Checked.Invalid<Addressed>(String why) ->
                change(claim, found, changing -> new Outcome.Retry(new Failure.Unreachable(why)));
            case Checked.Valid<Addressed>(Addressed it) ->
                change(claim, found, changing -> ask(changing, volume, found, it));
          };
      case ReadResult.Absent<AttributesClass> _ ->
          // a server without such classes answers a question for one in the same way
          reader.list(Kind.ATTRIBUTES_CLASS, "")
                  instanceof ReadResult.Failed<List<AttributesClass>>(String why)
              ? unanswered(claim, "whether class " + target + " exists: " + why)
              : missing(claim, target);
      case ReadResult.Failed<AttributesClass>(String message) -> unanswered(claim, message);
    };
  }

  private static Outcome unanswered(Claim claim, String why) {
    return new Outcome.Unanswered("changing claim " + claim.key() + ": " + why);
  }

  /** How the driver knows the volume, and us. */
  private record Addressed(String handle, Secrets credentials) {}

  private Checked<Addressed> addressed(Volume volume) throws InterruptedException {
    return sources
        .read(volume.meta().name())
        .then(source ->
            secrets
                .read(credentials(source))
                .then(known -> new Checked.Valid<>(new Addressed(source.handle(), known))));
  }

  /** It may appear: it is looked for again, and told of once. */
  private Outcome missing(Claim claim, String target) throws InterruptedException {
    if (!claim.status().modification().state().equals(ModifyRules.PENDING)) {
      reporter.notModified(claim, "VAC \"" + target + "\" does not exist.");
      patchStatus(
          claim,
          Document.patchOf(claim.meta()).set(ModifyRules.PENDING, STATUS, MODIFY_STATUS, STATUS),
          claim.status().conditions());
    }
    return new Outcome.CheckAgain(MISSING);
  }

  /** What follows when the claim says that it changes. */
  @FunctionalInterface
  private interface Next {
    Outcome of(Claim changing) throws InterruptedException;
  }

  private Outcome change(Claim claim, AttributesClass target, Next next)
      throws InterruptedException {
    String name = target.meta().name();
    Document patch =
        Document.patchOf(claim.meta())
            .set(ModifyRules.IN_PROGRESS, STATUS, MODIFY_STATUS, STATUS)
            .set(name, STATUS, MODIFY_STATUS, "targetVolumeAttributesClassName");
    WriteResult<Claim> begun =
        patchStatus(
            claim,
            patch,
            ModifyRules.with(
                claim.status().conditions(),
                List.of(
                    condition(
                        ModifyRules.MODIFYING,
                        "",
                        "Modifying volume to \"" + name + "\" is in progress."))));
    if (!(begun instanceof WriteResult.Written<Claim>(Claim changing))) {
      return outcome(claim, begun);
    }
    reporter.modifies(claim, name);
    return next.of(changing);
  }

  private Outcome ask(Claim claim, Volume volume, AttributesClass target, Addressed it)
      throws InterruptedException {
    Map<String, String> parameters = parameters(claim, volume, target);
    return answered(
        claim,
        volume,
        target.meta().name(),
        session.call(
            "ControllerModifyVolume", c -> c.modify(it.handle(), it.credentials(), parameters)));
  }

  private static Optional<SecretRef> credentials(Source source) {
    return VolumeObjects.modifySecret(source.volume().orElseThrow().meta().annotations())
        .or(() -> source.csi().secret("controllerExpandSecretRef"));
  }

  private Map<String, String> parameters(Claim claim, Volume volume, AttributesClass target) {
    Map<String, String> parameters = new HashMap<>(target.parameters());
    if (options.claims().modifyMetadata()) {
      parameters.put(ClassParameters.OURS + "pvc/name", claim.key().name());
      parameters.put(ClassParameters.OURS + "pvc/namespace", claim.key().namespace());
      parameters.put(ClassParameters.OURS + "pv/name", volume.meta().name());
    }
    return Map.copyOf(parameters);
  }

  private Outcome answered(Claim claim, Volume volume, String target, Reply<Done> reply)
      throws InterruptedException {
    return switch (reply) {
      case Reply.Ok<Done> _ -> done(claim, volume, target);
      case Reply.Refused<Done> refused -> refused(claim, target, refused);
    };
  }

  /** The volume first: it says what is true, the claim what is known. */
  private Outcome done(Claim claim, Volume volume, String target) throws InterruptedException {
    settled.add(claim.meta().uid());
    WriteResult<Volume> written =
        writer.patch(
            Kind.VOLUME,
            volume.key(),
            Document.patchOf(volume.meta()).set(target, "spec", "volumeAttributesClassName"));
    if (written.written().isEmpty()) {
      return Outcome.after("writing the class of volume " + volume.meta().name(), written);
    }
    WriteResult<Claim> told =
        reports.write(
            claim,
            now ->
                ClaimConditions.set(
                    Document.patchOf(now.meta())
                        .set(target, STATUS, "currentVolumeAttributesClassName")
                        .set(null, STATUS, MODIFY_STATUS),
                    ModifyRules.without(now.status().conditions())));
    if (told.written().isPresent()) {
      reporter.modified(claim, target);
    }
    return outcome(claim, told);
  }

  private Outcome refused(Claim claim, String target, Reply.Refused<Done> refused)
      throws InterruptedException {
    Codes.Meaning meaning = Codes.of(Codes.Call.MODIFY, refused.code());
    boolean over = meaning.isFinal();
    boolean infeasible = meaning.next() == Codes.Next.SLOWLY;
    if (over) {
      settled.add(claim.meta().uid());
    } else {
      settled.remove(claim.meta().uid());
    }
    if (infeasible) {
      slow.put(claim.meta().uid(), new Slow(target, time.nanos() + slowness.toNanos()));
    }
    String progress =
        "Modifying volume to \""
            + target
            + (over ? "\" failed. Waiting for retry." : "\" is still in progress.");
    List<Condition> told =
        List.of(
            condition(ModifyRules.MODIFYING, "", progress),
            condition(ModifyRules.ERROR, refused.code().spelling(), refused.message()));
    reports.write(
        claim,
        now ->
            ClaimConditions.set(
                Document.patchOf(now.meta())
                    .set(
                        infeasible ? ModifyRules.INFEASIBLE : ModifyRules.IN_PROGRESS,
                        STATUS,
                        MODIFY_STATUS,
                        STATUS),
                ModifyRules.with(now.status().conditions(), told)));
    reporter.notModified(
        claim, refused.text() + (over ? "" : ". Still modifying to VAC " + target));
    return infeasible
        ? new Outcome.CheckAgain(slowness)
        : new Outcome.Retry(new Failure.Unreachable(claim.key() + ": " + refused.text()));
  }

  private Condition condition(String type, String reason, String message) {
    long now = time.now().getEpochSecond();
    return new Condition(type, "True", reason, message, now, now);
  }

  private WriteResult<Claim> patchStatus(Claim claim, Document patch, List<Condition> conditions)
      throws InterruptedException {
    return writer.patchStatus(Kind.CLAIM, claim.key(), ClaimConditions.set(patch, conditions));
  }

  private static Outcome outcome(Claim claim, WriteResult<Claim> result) {
    return Outcome.after("writing how claim " + claim.key() + " changes", result);
  }
}
