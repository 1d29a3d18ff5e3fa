package dev.mooring.csi.execute;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ClassParameters;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.ModifyRules;
import dev.mooring.csi.decide.ModifyRules.ModifyPlan;
import dev.mooring.csi.decide.SecretRef;
import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.execute.VolumeSourceReader.DriverVolume;
import dev.mooring.csi.state.ModifyMemory;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Changes the VolumeAttributesClass of a driver's volumes (spec/expander.md 6). Thread-safe; calls
 * for one claim must not overlap.
 */
public record VolumeModifier(
    DriverSession session,
    DriverOptions options,
    ClusterPorts ports,
    DriverReporter reporter,
    ModifyMemory memory) {
  private static final String STATUS = "status";
  private static final String MODIFY_STATUS = "modifyVolumeStatus";
  private static final Duration MISSING = Duration.ofSeconds(30);

  public Outcome sync(Claim claim, Volume volume) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(DriverCapability.MODIFY_VOLUME)) {
      return Outcome.SETTLED;
    }
    return switch (ModifyRules.plan(claim, memory.mayRun(claim))) {
      case ModifyPlan.Nothing() -> Outcome.SETTLED;
      case ModifyPlan.Cancel() -> {
        reporter.modificationCancelled(claim);
        yield outcome(
            claim,
            patchStatus(
                claim,
                Document.patchOf(claim.meta()),
                ModifyRules.without(claim.status().conditions())));
      }
      case ModifyPlan.Change(String target) -> change(claim, volume, target);
    };
  }

  private Outcome change(Claim claim, Volume volume, String target) throws InterruptedException {
    Optional<Duration> pause = memory.pause(claim, target);
    if (pause.isPresent()) {
      return new Outcome.CheckAgain(pause.get());
    }
    ObjectKey key = ObjectKey.cluster(target);
    if (!key.flaw().isEmpty()) {
      return missing(claim, target);
    }
    return switch (ports.reader().read(Kind.ATTRIBUTES_CLASS, key)) {
      case ReadResult.Found<AttributesClass>(AttributesClass found) ->
          switch (resolveTarget(volume)) {
            case CheckResult.Unknown<Target>(String why) -> unanswered(claim, why);
            case CheckResult.Invalid<Target>(String why) ->
                change(claim, found, changing -> new Outcome.Retry(new Failure.Unreachable(why)));
            case CheckResult.Valid<Target>(Target resolved) ->
                change(claim, found, changing -> ask(changing, volume, found, resolved));
          };
      case ReadResult.Absent<AttributesClass> _ ->
          // 404 for an object may mean that the server does not serve the kind
          ports.reader().list(Kind.ATTRIBUTES_CLASS, "")
                  instanceof ReadResult.Failed<List<AttributesClass>>(String why)
              ? unanswered(claim, "whether class " + target + " exists: " + why)
              : missing(claim, target);
      case ReadResult.Failed<AttributesClass>(String message) -> unanswered(claim, message);
    };
  }

  private static Outcome unanswered(Claim claim, String why) {
    return new Outcome.Unanswered("changing claim " + claim.key() + ": " + why);
  }

  // The driver's handle of the volume and the Secret.
  private record Target(String handle, DriverSecrets credentials) {}

  private CheckResult<Target> resolveTarget(Volume volume) throws InterruptedException {
    return new VolumeSourceReader(ports.reader(), session.driver())
        .read(volume.meta().name())
        .then(source ->
            new SecretReader(ports.reader())
                .read(credentials(source))
                .then(credentials ->
                    new CheckResult.Valid<>(new Target(source.handle(), credentials))));
  }

  // The class may be created later: checks again, emits one event.
  private Outcome missing(Claim claim, String target) throws InterruptedException {
    if (!claim.status().modification().state().equals(ModifyRules.PENDING)) {
      reporter.modificationFailed(claim, "VAC \"" + target + "\" does not exist.");
      patchStatus(
          claim,
          Document.patchOf(claim.meta()).set(ModifyRules.PENDING, STATUS, MODIFY_STATUS, STATUS),
          claim.status().conditions());
    }
    return new Outcome.CheckAgain(MISSING);
  }

  // Next step after the claim's status was written.
  @FunctionalInterface
  private interface ClaimStep {
    Outcome of(Claim changing) throws InterruptedException;
  }

  private Outcome change(Claim claim, AttributesClass target, ClaimStep next)
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
    reporter.modificationStarted(claim, name);
    return next.of(changing);
  }

  private Outcome ask(Claim claim, Volume volume, AttributesClass target, Target resolved)
      throws InterruptedException {
    Map<String, String> parameters = parameters(claim, volume, target);
    return answered(
        claim,
        volume,
        target.meta().name(),
        session.call(
            "ControllerModifyVolume",
            c -> c.modify(resolved.handle(), resolved.credentials(), parameters)));
  }

  private static Optional<SecretRef> credentials(DriverVolume source) {
    return VolumeObjects.modifySecret(source.volume().orElseThrow().meta().annotations())
        .or(() -> source.csi().secret("controllerExpandSecretRef"));
  }

  private Map<String, String> parameters(Claim claim, Volume volume, AttributesClass target) {
    Map<String, String> parameters = new HashMap<>(target.parameters());
    if (options.claims().modifyMetadata()) {
      parameters.put(ClassParameters.RESERVED_PREFIX + "pvc/name", claim.key().name());
      parameters.put(ClassParameters.RESERVED_PREFIX + "pvc/namespace", claim.key().namespace());
      parameters.put(ClassParameters.RESERVED_PREFIX + "pv/name", volume.meta().name());
    }
    return Map.copyOf(parameters);
  }

  private Outcome answered(Claim claim, Volume volume, String target, DriverReply<Done> reply)
      throws InterruptedException {
    return switch (reply) {
      case DriverReply.Ok<Done> _ -> done(claim, volume, target);
      case DriverReply.Refused<Done> refused -> refused(claim, target, refused);
    };
  }

  // The volume first: a crash in between repeats the call, which is harmless.
  private Outcome done(Claim claim, Volume volume, String target) throws InterruptedException {
    memory.recordAnswer(claim, true);
    WriteResult<Volume> written =
        ports
            .writer()
            .patch(
                Kind.VOLUME,
                volume.key(),
                Document.patchOf(volume.meta()).set(target, "spec", "volumeAttributesClassName"));
    if (written.written().isEmpty()) {
      return Outcome.after(
          "writing the attributes class of volume " + volume.meta().name(), written);
    }
    WriteResult<Claim> reported =
        statusWriter()
            .write(
                claim,
                now ->
                    ClaimConditions.set(
                        Document.patchOf(now.meta())
                            .set(target, STATUS, "currentVolumeAttributesClassName")
                            .set(null, STATUS, MODIFY_STATUS),
                        ModifyRules.without(now.status().conditions())));
    if (reported.written().isPresent()) {
      reporter.modificationSucceeded(claim, target);
    }
    return outcome(claim, reported);
  }

  private Outcome refused(Claim claim, String target, DriverReply.Refused<Done> refused)
      throws InterruptedException {
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.MODIFY, refused.code());
    boolean isFinal = meaning.isFinal();
    boolean infeasible = meaning.next() == StatusCodeMeanings.Next.SLOWLY;
    memory.recordAnswer(claim, isFinal);
    if (infeasible) {
      memory.recordInfeasible(claim, target);
    }
    String progress =
        "Modifying volume to \""
            + target
            + (isFinal ? "\" failed. Waiting for retry." : "\" is still in progress.");
    List<Condition> conditions =
        List.of(
            condition(ModifyRules.MODIFYING, "", progress),
            condition(ModifyRules.ERROR, refused.code().spelling(), refused.message()));
    statusWriter()
        .write(
            claim,
            now ->
                ClaimConditions.set(
                    Document.patchOf(now.meta())
                        .set(
                            infeasible ? ModifyRules.INFEASIBLE : ModifyRules.IN_PROGRESS,
                            STATUS,
                            MODIFY_STATUS,
                            STATUS),
                    ModifyRules.with(now.status().conditions(), conditions)));
    reporter.modificationFailed(
        claim, refused.text() + (isFinal ? "" : ". Still modifying to VAC " + target));
    return infeasible
        ? new Outcome.CheckAgain(memory.slowness())
        : new Outcome.Retry(new Failure.Unreachable(claim.key() + ": " + refused.text()));
  }

  private ClaimStatusWriter statusWriter() {
    return new ClaimStatusWriter(ports.writer(), ports.reader());
  }

  private Condition condition(String type, String reason, String message) {
    long now = ports.time().now().getEpochSecond();
    return new Condition(type, "True", reason, message, now, now);
  }

  private WriteResult<Claim> patchStatus(Claim claim, Document patch, List<Condition> conditions)
      throws InterruptedException {
    return ports
        .writer()
        .patchStatus(Kind.CLAIM, claim.key(), ClaimConditions.set(patch, conditions));
  }

  private static Outcome outcome(Claim claim, WriteResult<Claim> result) {
    return Outcome.after("writing the modification status of claim " + claim.key(), result);
  }
}
