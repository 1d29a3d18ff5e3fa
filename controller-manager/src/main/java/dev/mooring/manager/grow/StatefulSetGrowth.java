package dev.mooring.manager.grow;

import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.GrowthStep.CreateStatefulSet;
import dev.mooring.manager.grow.GrowthStep.DeleteStatefulSet;
import dev.mooring.manager.grow.GrowthStep.FinishStatefulSet;
import dev.mooring.manager.grow.GrowthStep.GrowClaim;
import dev.mooring.manager.grow.GrowthStep.SaveStatefulSet;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs a growth: grows the claims that the plan begins with, or executes its first step, and plans
 * again, until no step is left. Not thread-safe.
 */
public final class StatefulSetGrowth {
  private static final int MAX_ATTEMPTS = 20;
  private static final String CONTINUE = ": run the command again to continue";

  private final GrowthCluster cluster;
  private final GrowthRequest request;
  private final Time time;
  private final Pace pace;
  private final Consumer<String> output;
  private final ClaimWait claims;
  private int failedAttempts;
  private long deletionStart;

  /**
   * Waits of a growth.
   *
   * @param timeout longest wait for one claim, and for the deletion of the StatefulSet
   * @param pause time between two reads
   * @param parallel number of claims that grow at the same time, at least 1
   */
  public record Pace(Duration timeout, Duration pause, int parallel) {}

  public StatefulSetGrowth(
      GrowthCluster cluster, GrowthRequest request, Time time, Pace pace, Consumer<String> output) {
    this.cluster = cluster;
    this.request = request;
    this.time = time;
    this.pace = pace;
    this.output = output;
    this.claims = new ClaimWait(cluster, request, time, pace, output);
  }

  /**
   * Plans without a write. Asks the API server whether it would accept the new StatefulSet.
   *
   * @throws GrowthStoppedException if nothing may be written
   * @throws IOException if the state cannot be read
   */
  public GrowthPlan.Steps plan() throws GrowthStoppedException, IOException, InterruptedException {
    GrowthView view = cluster.read(request);
    GrowthPlan.Steps plan = planSteps(view);
    for (GrowthStep step : plan.steps()) {
      if (step instanceof DeleteStatefulSet) {
        view.current().flatMap(StoredStatefulSet::owner).ifPresent(this::noteOwner);
      }
      if (step instanceof CreateStatefulSet(SavedStatefulSet saved)) {
        checkCreation(saved);
      }
    }
    return plan;
  }

  private void noteOwner(String owner) {
    output.accept(
        "note: %s owns StatefulSet %s and may set the old size again: change the size there too"
            .formatted(owner, request.statefulSet()));
  }

  private GrowthPlan.Steps planSteps(GrowthView view) throws GrowthStoppedException {
    return switch (GrowthPlanner.plan(request, view)) {
      case GrowthPlan.Steps steps -> steps;
      case GrowthPlan.Impossible(String problem) -> throw new GrowthStoppedException(problem);
    };
  }

  // Ignores refusals that concern the trial only: its name, its number, or the dry run.
  private void checkCreation(SavedStatefulSet saved)
      throws GrowthStoppedException, InterruptedException {
    if (cluster.tryCreation(request.statefulSet(), saved)
            instanceof WriteResult.Rejected<ObjectKey>(int code, String message)
        && (code == 422 || !message.contains("quota") && !message.contains("dry run"))) {
      throw new GrowthStoppedException(
          "the API server would not accept StatefulSet %s again (%s): %s: correct the StatefulSet first"
              .formatted(request.statefulSet(), code, message));
    }
  }

  /**
   * Grows claims and template.
   *
   * @throws GrowthStoppedException if the growth cannot continue
   */
  public void run() throws GrowthStoppedException, InterruptedException {
    deletionStart = time.nanos();
    while (true) {
      GrowthView view;
      try {
        view = cluster.read(request);
      } catch (IOException e) {
        countFailure(String.valueOf(e.getMessage()));
        continue;
      }
      List<GrowthStep> steps = planSteps(view).steps();
      if (steps.isEmpty()) {
        return;
      }
      executeFirst(steps, view);
    }
  }

  private static List<Claim> findFirstClaims(List<GrowthStep> steps) {
    return steps.stream()
        .takeWhile(GrowClaim.class::isInstance)
        .map(step -> ((GrowClaim) step).claim())
        .toList();
  }

  private void executeFirst(List<GrowthStep> steps, GrowthView view)
      throws GrowthStoppedException, InterruptedException {
    ObjectKey set = request.statefulSet();
    switch (steps.getFirst()) {
      case GrowClaim _ -> claims.grow(findFirstClaims(steps));
      case SaveStatefulSet save -> save(save);
      case DeleteStatefulSet(var uid, var version) -> {
        deletionStart = time.nanos();
        record(
            cluster.deleteStatefulSet(set, uid, version),
            "delete StatefulSet " + set,
            "StatefulSet " + set.name() + " deleted; its pods keep running");
      }
      case GrowthStep.AwaitDeletion _ -> awaitDeletion();
      case CreateStatefulSet(SavedStatefulSet saved) -> create(saved);
      case FinishStatefulSet(SavedStatefulSet saved) -> finish(saved, view);
    }
  }

  private void save(SaveStatefulSet step) throws GrowthStoppedException, InterruptedException {
    ObjectKey key = request.configMap();
    Optional<SavedStatefulSet.Location> overwritten = step.overwritten();
    WriteResult<ObjectKey> result =
        overwritten.isPresent()
            ? cluster.patchConfigMap(key, overwritten.get(), step.saved())
            : cluster.createConfigMap(key, step.saved());
    record(result, "write ConfigMap " + key, "StatefulSet saved in ConfigMap " + key.name());
  }

  private void awaitDeletion() throws GrowthStoppedException, InterruptedException {
    Duration elapsed = Duration.ofNanos(time.nanos() - deletionStart);
    if (elapsed.compareTo(pace.timeout()) > 0) {
      throw new GrowthStoppedException(
          "StatefulSet %s is not deleted after %s: check that kube-controller-manager runs, which removes its finalizer%s"
              .formatted(request.statefulSet(), GrowthText.elapsed(elapsed), CONTINUE));
    }
    time.sleep(pace.pause());
  }

  // A quota or webhook may refuse the StatefulSet for a moment after its deletion.
  private void create(SavedStatefulSet saved) throws GrowthStoppedException, InterruptedException {
    ObjectKey key = request.statefulSet();
    WriteResult<ObjectKey> result = cluster.createStatefulSet(key, saved);
    if (result instanceof WriteResult.Rejected<ObjectKey>) {
      countFailure(
          "StatefulSet %s is deleted and its creation fails: %s; ConfigMap %s holds it"
              .formatted(key, result, request.configMap()));
      return;
    }
    record(
        result,
        "create StatefulSet " + key,
        "StatefulSet %s created with %s in template %s"
            .formatted(key.name(), saved.size(), saved.template()));
  }

  private void finish(SavedStatefulSet saved, GrowthView view)
      throws GrowthStoppedException, InterruptedException {
    StoredStatefulSet current = view.current().orElseThrow();
    List<?> managers = saved.fieldManagers();
    if (!managers.isEmpty() && current.isManagedHereOnly()) {
      WriteResult<ObjectKey> result =
          cluster.setFieldManagers(request.statefulSet(), current, managers);
      if (result instanceof WriteResult.Conflict<ObjectKey>
          || result instanceof WriteResult.Unreachable<ObjectKey>) {
        countFailure("cannot restore the field managers of the StatefulSet: " + result);
        return;
      }
    }
    ObjectKey key = request.configMap();
    record(
        cluster.deleteConfigMap(key, view.location().orElseThrow()),
        "delete ConfigMap " + key,
        "ConfigMap " + key.name() + " deleted");
  }

  private void record(WriteResult<ObjectKey> result, String action, String done)
      throws GrowthStoppedException, InterruptedException {
    switch (result) {
      case WriteResult.Written<ObjectKey> _, WriteResult.Gone<ObjectKey> _ -> {
        failedAttempts = 0;
        output.accept(done);
      }
      case WriteResult.Rejected<ObjectKey> _ ->
          throw new GrowthStoppedException("cannot " + action + ": " + result);
      case WriteResult.Conflict<ObjectKey> _, WriteResult.Unreachable<ObjectKey> _ ->
          countFailure("cannot " + action + ": " + result);
    }
  }

  private void countFailure(String problem) throws GrowthStoppedException, InterruptedException {
    failedAttempts++;
    if (failedAttempts >= MAX_ATTEMPTS) {
      throw new GrowthStoppedException(problem + CONTINUE);
    }
    time.sleep(pace.pause());
  }
}
