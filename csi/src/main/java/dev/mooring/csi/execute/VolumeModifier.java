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
 * Changes the VolumeAttributesClass of a driver's volumes. Thread-safe; calls for one claim must
 * not overlap.
 */
public record VolumeModifier(
    DriverSession session,
    DriverOptions options,
    ClusterPorts ports,
    DriverReporter reporter,
    ModifyMemory memory) {
  private static final String STATUS = "status";
  private static final String MODIFY_STATUS = "modifyVolumeStatus";
  private static final Duration CLASS_DELAY = Duration.ofSeconds(30);

  public Outcome sync(Claim claim, Volume volume) throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return Outcome.SETTLED; // requeued when the driver is ready
    }
    return switch (ModifyRules.plan(claim, memory.mayBeCalling(claim))) {
      case ModifyPlan.Nothing() -> Outcome.SETTLED;
      case ModifyPlan.Cancel() -> {
        reporter.modificationCancelled(claim);
        yield toOutcome(
            claim,
            patchStatus(
                claim,
                Document.patchOf(claim.meta()),
                ModifyRules.withoutModifyConditions(claim.status().conditions())));
      }
      case ModifyPlan.Change plan ->
          identity.get().can(DriverCapability.MODIFY_VOLUME)
              ? change(claim, volume, plan)
              : reportUnsupported(claim, plan.target());
    };
  }

  // Emits one event. Another version of the driver may support the change: when it is ready, the
  // claim is requeued.
  private Outcome reportUnsupported(Claim claim, String target) {
    String problem =
        "CSI driver %s does not support VolumeAttributesClass, so the volume is not changed to %s"
            .formatted(session.driver(), target);
    if (memory.recordProblem(claim, problem, false)) {
      reporter.modificationFailed(claim, problem);
    }
    return Outcome.SETTLED;
  }

  private Outcome change(Claim claim, Volume volume, ModifyPlan.Change plan)
      throws InterruptedException {
    String target = plan.target();
    Optional<Duration> pause = memory.remainingPause(claim, target);
    if (pause.isPresent()) {
      return new Outcome.CheckAgain(pause.get());
    }
    ObjectKey key = ObjectKey.cluster(target);
    if (!key.flaw().isEmpty()) {
      return waitForClass(claim, plan, describeMissing(target));
    }
    return switch (ports.reader().read(Kind.ATTRIBUTES_CLASS, key)) {
      case ReadResult.Found<AttributesClass>(AttributesClass attributesClass) ->
          attributesClass.driver().equals(session.driver())
              ? changeTo(claim, volume, attributesClass)
              : waitForClass(
                  claim,
                  plan,
                  "VolumeAttributesClass %s belongs to driver %s"
                      .formatted(target, attributesClass.driver()));
      case ReadResult.Absent<AttributesClass> _ ->
          // 404 for an object may mean that the server does not serve the kind
          ports.reader().list(Kind.ATTRIBUTES_CLASS, "")
                  instanceof ReadResult.Failed<List<AttributesClass>>(String reason)
              ? unanswered(
                  claim, "could not determine whether class " + target + " exists: " + reason)
              : waitForClass(claim, plan, describeMissing(target));
      case ReadResult.Failed<AttributesClass>(String message) -> unanswered(claim, message);
    };
  }

  private static String describeMissing(String target) {
    return "VAC \"" + target + "\" does not exist.";
  }

  private Outcome changeTo(Claim claim, Volume volume, AttributesClass target)
      throws InterruptedException {
    memory.forgetProblem(claim);
    return switch (resolveArguments(volume)) {
      case CheckResult.Unknown<ModifyArguments>(String reason) -> unanswered(claim, reason);
      case CheckResult.Invalid<ModifyArguments>(String reason) -> {
        reporter.modificationFailed(claim, reason);
        yield new Outcome.Retry(new Failure.Unreachable(reason));
      }
      case CheckResult.Valid<ModifyArguments>(ModifyArguments resolved) ->
          startChange(claim, volume, target, resolved);
    };
  }

  private static Outcome unanswered(Claim claim, String reason) {
    return new Outcome.Unanswered("changing claim " + claim.key() + ": " + reason);
  }

  // the volume's handle, and the content of the Secret
  private record ModifyArguments(String handle, DriverSecrets credentials) {}

  private CheckResult<ModifyArguments> resolveArguments(Volume volume) throws InterruptedException {
    return new VolumeSourceReader(ports.reader(), session.driver())
        .read(volume.meta().name())
        .then(source ->
            new SecretReader(ports.reader())
                .read(findSecret(source))
                .then(credentials ->
                    new CheckResult.Valid<>(new ModifyArguments(source.handle(), credentials))));
  }

  // The class may be created or replaced later: checks again, emits one event. A change that the
  // driver may be working on stays in progress: another class must not be requested meanwhile.
  private Outcome waitForClass(Claim claim, ModifyPlan.Change plan, String problem)
      throws InterruptedException {
    boolean isPending = claim.status().modification().state().equals(ModifyRules.PENDING);
    if (memory.recordProblem(claim, problem, isPending)) {
      reporter.modificationFailed(claim, problem);
    }
    if (!isPending && !plan.isResumed()) {
      patchStatus(
          claim,
          Document.patchOf(claim.meta()).set(ModifyRules.PENDING, STATUS, MODIFY_STATUS, STATUS),
          claim.status().conditions());
    }
    return new Outcome.CheckAgain(CLASS_DELAY);
  }

  private Outcome startChange(
      Claim claim, Volume volume, AttributesClass target, ModifyArguments resolved)
      throws InterruptedException {
    String name = target.meta().name();
    Document patch =
        Document.patchOf(claim.meta())
            .set(ModifyRules.IN_PROGRESS, STATUS, MODIFY_STATUS, STATUS)
            .set(name, STATUS, MODIFY_STATUS, "targetVolumeAttributesClassName");
    WriteResult<Claim> result =
        patchStatus(
            claim,
            patch,
            ModifyRules.mergeConditions(
                claim.status().conditions(),
                List.of(
                    createCondition(
                        ModifyRules.MODIFYING,
                        "",
                        "Modifying volume to \"" + name + "\" is in progress."))));
    if (!(result instanceof WriteResult.Written<Claim>(Claim changingClaim))) {
      return toOutcome(claim, result);
    }
    reporter.modificationStarted(claim, name);
    return callModify(changingClaim, volume, target, resolved);
  }

  private Outcome callModify(
      Claim claim, Volume volume, AttributesClass target, ModifyArguments resolved)
      throws InterruptedException {
    Map<String, String> parameters = buildParameters(claim, volume, target);
    return handleReply(
        claim,
        volume,
        target.meta().name(),
        session.call(
            "ControllerModifyVolume",
            c -> c.modify(resolved.handle(), resolved.credentials(), parameters)));
  }

  private static Optional<SecretRef> findSecret(DriverVolume source) {
    return VolumeObjects.modifySecret(source.volume().orElseThrow().meta().annotations())
        .or(() -> source.secretRef("controllerExpandSecretRef"));
  }

  private Map<String, String> buildParameters(Claim claim, Volume volume, AttributesClass target) {
    Map<String, String> parameters = new HashMap<>(target.parameters());
    if (options.claims().modifyMetadata()) {
      parameters.put(ClassParameters.RESERVED_PREFIX + "pvc/name", claim.key().name());
      parameters.put(ClassParameters.RESERVED_PREFIX + "pvc/namespace", claim.key().namespace());
      parameters.put(ClassParameters.RESERVED_PREFIX + "pv/name", volume.meta().name());
    }
    return Map.copyOf(parameters);
  }

  private Outcome handleReply(Claim claim, Volume volume, String target, DriverReply<Done> reply)
      throws InterruptedException {
    return switch (reply) {
      case DriverReply.Ok<Done> _ -> recordChange(claim, volume, target);
      case DriverReply.Refused<Done> refusal -> handleRefusal(claim, target, refusal);
    };
  }

  // The volume first: a crash in between repeats the call, which is harmless.
  private Outcome recordChange(Claim claim, Volume volume, String target)
      throws InterruptedException {
    memory.recordAnswer(claim, true);
    WriteResult<Volume> volumeResult =
        ports
            .writer()
            .patch(
                Kind.VOLUME,
                volume.key(),
                Document.patchOf(volume.meta()).set(target, "spec", "volumeAttributesClassName"));
    if (volumeResult.toOptional().isEmpty()) {
      return Outcome.ofWrite(
          "writing the attributes class of volume " + volume.meta().name(), volumeResult);
    }
    WriteResult<Claim> claimResult =
        statusWriter()
            .write(
                claim,
                liveClaim ->
                    ClaimConditions.set(
                        Document.patchOf(liveClaim.meta())
                            .set(target, STATUS, "currentVolumeAttributesClassName")
                            .set(null, STATUS, MODIFY_STATUS),
                        ModifyRules.withoutModifyConditions(liveClaim.status().conditions())));
    if (claimResult.toOptional().isPresent()) {
      reporter.modificationSucceeded(claim, target);
    }
    return toOutcome(claim, claimResult);
  }

  private Outcome handleRefusal(Claim claim, String target, DriverReply.Refused<Done> refusal)
      throws InterruptedException {
    StatusCodeMeanings.Meaning meaning =
        StatusCodeMeanings.of(StatusCodeMeanings.Call.MODIFY, refusal.code());
    boolean isFinal = meaning.isFinal();
    boolean isInfeasible = meaning.retry() == StatusCodeMeanings.Retry.SLOWLY;
    memory.recordAnswer(claim, isFinal);
    if (isInfeasible) {
      memory.recordInfeasible(claim, target);
    }
    String progress =
        "Modifying volume to \""
            + target
            + (isFinal ? "\" failed. Waiting for retry." : "\" is still in progress.");
    List<Condition> conditions =
        List.of(
            createCondition(ModifyRules.MODIFYING, "", progress),
            createCondition(ModifyRules.ERROR, refusal.code().spelling(), refusal.message()));
    statusWriter()
        .write(
            claim,
            liveClaim ->
                ClaimConditions.set(
                    Document.patchOf(liveClaim.meta())
                        .set(
                            isInfeasible ? ModifyRules.INFEASIBLE : ModifyRules.IN_PROGRESS,
                            STATUS,
                            MODIFY_STATUS,
                            STATUS),
                    ModifyRules.mergeConditions(liveClaim.status().conditions(), conditions)));
    reporter.modificationFailed(
        claim, refusal.text() + (isFinal ? "" : ". Still modifying to VAC " + target));
    return isInfeasible
        ? new Outcome.CheckAgain(memory.infeasibleDelay())
        : new Outcome.Retry(new Failure.Unreachable(claim.key() + ": " + refusal.text()));
  }

  private ClaimStatusWriter statusWriter() {
    return new ClaimStatusWriter(ports.writer(), ports.reader());
  }

  private Condition createCondition(String type, String reason, String message) {
    long epochSecond = ports.time().now().getEpochSecond();
    return new Condition(type, "True", reason, message, epochSecond, epochSecond);
  }

  private WriteResult<Claim> patchStatus(Claim claim, Document patch, List<Condition> conditions)
      throws InterruptedException {
    return ports
        .writer()
        .patchStatus(Kind.CLAIM, claim.key(), ClaimConditions.set(patch, conditions));
  }

  private static Outcome toOutcome(Claim claim, WriteResult<Claim> result) {
    return Outcome.ofWrite("writing the modification status of claim " + claim.key(), result);
  }
}
