package dev.mooring.populator.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.FillPod;
import dev.mooring.populator.decide.PopulationDecision;
import dev.mooring.populator.decide.PopulationDecision.CallPopulator;
import dev.mooring.populator.decide.PopulationDecision.Finish;
import dev.mooring.populator.decide.PopulationDecision.RestartPod;
import dev.mooring.populator.decide.PopulationView;
import dev.mooring.populator.decide.PopulatorMarks;
import dev.mooring.populator.execute.PopulatorCalls.FillAttempt;
import dev.mooring.populator.state.LoadedPopulators;
import dev.mooring.populator.state.PopulationTimes;
import dev.mooring.populator.state.RestartDelays;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Populator.Progress;
import java.time.Duration;
import java.util.List;

/**
 * Executes the steps of populations. Each step is at most one write; its watch event requeues the
 * claim. Thread-safe.
 */
public final class PopulationExecutor {
  private static final String METADATA = "metadata";
  private static final Duration WAIT_CHECK = Duration.ofSeconds(30);
  private static final Duration SHORTEST_CHECK = Duration.ofSeconds(1);
  private static final Duration LONGEST_CHECK = Duration.ofHours(1);

  private final ClusterWriter writer;
  private final PopulatorCalls calls;
  private final PopulationReporter reporter;
  private final RestartDelays restartDelays;
  private final PopulationTimes times;

  @FunctionalInterface
  public interface Continuation {
    Outcome reconcile(PopulationView view) throws InterruptedException;
  }

  public PopulationExecutor(
      ClusterPorts ports,
      LoadedPopulators populators,
      PopulationReporter reporter,
      RestartDelays restartDelays,
      PopulationTimes times) {
    this.writer = ports.writer();
    this.calls = new PopulatorCalls(ports.reader(), populators);
    this.reporter = reporter;
    this.restartDelays = restartDelays;
    this.times = times;
  }

  public Outcome execute(PopulationView view, PopulationDecision decision, Continuation whenFilled)
      throws InterruptedException {
    return switch (decision) {
      case PopulationDecision.Leave(), PopulationDecision.Await _ -> Outcome.SETTLED;
      case PopulationDecision.CheckAgain check -> new Outcome.CheckAgain(check.delay());
      case PopulationDecision.Unanswered(String message) -> new Outcome.Unanswered(message);
      case PopulationDecision.Conflict(String message) -> new Outcome.Conflicted(message);
      case PopulationDecision.Wait wait -> {
        view.claim().ifPresent(claim -> reporter.reportWait(claim, wait.reason(), wait.message()));
        yield new Outcome.CheckAgain(WAIT_CHECK);
      }
      case PopulationDecision.AddFinalizer(Claim claim) ->
          writeFinalizers(claim, claim.meta().finalizersWith(PopulatorMarks.FINALIZER));
      case PopulationDecision.CreatePrime(Claim claim, String node) ->
          createPrime(view, claim, node);
      case PopulationDecision.PassNode(Claim prime, String node) ->
          patch(prime, PrimeDocuments.addNode(Document.patchOf(prime.meta()), node));
      case PopulationDecision.Reselect(Claim claim) ->
          removeAnnotation(claim, PopulatorMarks.SELECTED_NODE);
      case PopulationDecision.ForgetNode(Claim prime) ->
          removeAnnotation(prime, PopulatorMarks.ON_NODE);
      case CallPopulator call -> callPopulator(view, call, whenFilled);
      case PopulationDecision.Rebind(Volume volume, Claim claim) ->
          Outcome.ofWrite(
              "moving volume %s to claim %s".formatted(volume.meta().name(), claim.key()),
              writer.patch(
                  Kind.VOLUME, volume.key(), PrimeDocuments.buildRebinding(volume, claim)));
      case RestartPod restart -> restartPod(restart);
      case PopulationDecision.DeletePod(FillPod pod) -> deletePod(pod);
      case PopulationDecision.DeletePrime(Claim prime) ->
          Outcome.ofWrite(
              "deleting prime claim " + prime.key(),
              writer.delete(Kind.CLAIM, prime.key(), prime.meta().uid()));
      case Finish finish -> finish(finish);
    };
  }

  private Outcome removeAnnotation(Claim claim, String name) throws InterruptedException {
    return patch(claim, Document.patchOf(claim.meta()).set(null, METADATA, "annotations", name));
  }

  private Outcome patch(Claim claim, Document patch) throws InterruptedException {
    return Outcome.ofWrite(
        "selected node of claim " + claim.key(), writer.patch(Kind.CLAIM, claim.key(), patch));
  }

  private Outcome writeFinalizers(Claim claim, List<String> finalizers)
      throws InterruptedException {
    return Outcome.ofWrite(
        "finalizers of claim " + claim.key(),
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta()).set(finalizers, METADATA, "finalizers")));
  }

  private Outcome createPrime(PopulationView view, Claim claim, String node)
      throws InterruptedException {
    times.start(claim.meta().uid());
    WriteResult<Claim> result =
        writer.create(Kind.CLAIM, view.primeKey(), PrimeDocuments.buildPrime(claim, node));
    return switch (result) {
      case WriteResult.Gone<Claim> _, WriteResult.Rejected<Claim> _ -> {
        reporter.reportRefusedPrime(claim, result.toString());
        yield retry("creating prime claim " + view.primeKey() + ": " + result);
      }
      case WriteResult.Written<Claim> _,
          WriteResult.Conflict<Claim> _,
          WriteResult.Unreachable<Claim> _ ->
          Outcome.ofWrite("creating prime claim " + view.primeKey(), result);
    };
  }

  private static Outcome retry(String message) {
    return new Outcome.Retry(new Failure.Unreachable(message));
  }

  private Outcome callPopulator(PopulationView view, CallPopulator call, Continuation whenFilled)
      throws InterruptedException {
    times.start(call.claim().meta().uid());
    FillAttempt attempt = calls.fill(call);
    return switch (attempt.attempt()) {
      case Attempt.Done<Progress>(Progress.Filled()) ->
          whenFilled.reconcile(view.withFilledVolume());
      case Attempt.Done<Progress>(Progress.Running(String _, Duration checkAfter)) ->
          new Outcome.CheckAgain(limit(checkAfter));
      case Attempt.Done<Progress>(Progress.RunPod pod) -> createPod(view, call, pod);
      case Attempt.Failed<Progress>(Failure failure) -> {
        reporter.reportFailedCall(call.claim(), attempt.eventReason(), failure.message());
        yield new Outcome.Retry(failure);
      }
    };
  }

  private static Duration limit(Duration delay) {
    if (delay.compareTo(SHORTEST_CHECK) < 0) {
      return SHORTEST_CHECK;
    }
    return delay.compareTo(LONGEST_CHECK) > 0 ? LONGEST_CHECK : delay;
  }

  private Outcome createPod(PopulationView view, CallPopulator call, Progress.RunPod pod)
      throws InterruptedException {
    ObjectKey key = view.podKey();
    WriteResult<Pod> result =
        writer.create(Kind.POD, key, PrimeDocuments.buildPod(pod.pod(), view.key(), call.prime()));
    return switch (result) {
      case WriteResult.Written<Pod> _ -> {
        reporter.reportPod(call.claim(), key.toString());
        yield new Outcome.CheckAgain(SHORTEST_CHECK); // pods are not watched
      }
      case WriteResult.Gone<Pod> _, WriteResult.Rejected<Pod> _ -> {
        reporter.reportRefusedPod(call.claim(), result.toString());
        yield retry("creating populator pod " + key + ": " + result);
      }
      case WriteResult.Conflict<Pod> _, WriteResult.Unreachable<Pod> _ ->
          Outcome.ofWrite("creating populator pod " + key, result);
    };
  }

  private Outcome restartPod(RestartPod restart) throws InterruptedException {
    FillPod pod = restart.pod();
    Outcome outcome = deletePod(pod);
    if (outcome instanceof Outcome.CheckAgain) {
      restartDelays.recordFailure(restart.claim().meta().uid());
      reporter.reportFailedPod(restart.claim(), pod.key().toString(), pod.failure());
    }
    return outcome;
  }

  private Outcome deletePod(FillPod pod) throws InterruptedException {
    Outcome outcome =
        Outcome.ofWrite(
            "deleting populator pod " + pod.key(), writer.delete(Kind.POD, pod.key(), pod.uid()));
    return outcome.equals(Outcome.SETTLED) ? new Outcome.CheckAgain(SHORTEST_CHECK) : outcome;
  }

  private Outcome finish(Finish finish) throws InterruptedException {
    Claim claim = finish.claim();
    if (calls.cleanUp(claim) instanceof Attempt.Failed<Populator.CleanedUp>(Failure failure)) {
      reporter.reportFailedCall(claim, PopulationReporter.CALL_FAILED, failure.message());
      return new Outcome.Retry(failure);
    }
    WriteResult<Claim> result =
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta())
                .set(
                    claim.meta().finalizersWithout(PopulatorMarks.FINALIZER),
                    METADATA,
                    "finalizers"));
    if (result.toOptional().isPresent()) {
      times.end(claim.meta().uid(), finish.isPopulated());
      restartDelays.forget(claim.meta().uid());
      reporter.forget(claim.meta().uid());
      if (finish.isPopulated()) {
        reporter.reportEnd(claim);
      }
    }
    return Outcome.ofWrite("finalizers of claim " + claim.key(), result);
  }
}
