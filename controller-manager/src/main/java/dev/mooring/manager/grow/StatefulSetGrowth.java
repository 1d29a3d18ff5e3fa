package dev.mooring.manager.grow;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.GrowthStep.CreateStatefulSet;
import dev.mooring.manager.grow.GrowthStep.DeleteStatefulSet;
import dev.mooring.manager.grow.GrowthStep.FinishStatefulSet;
import dev.mooring.manager.grow.GrowthStep.GrowClaim;
import dev.mooring.manager.grow.GrowthStep.SaveStatefulSet;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
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
  private static final String TRIAL_NAME = "mooring-grow-check";
  private static final int MAX_ATTEMPTS = 20;
  private static final String CONTINUE = ": run the command again to continue";

  private final GrowthReader reader;
  private final ClusterWriter writer;
  private final ManifestWriter manifests;
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
      GrowthPorts ports, GrowthRequest request, Time time, Pace pace, Consumer<String> output) {
    this.reader = new GrowthReader(ports.reader());
    this.writer = ports.writer();
    this.manifests = ports.manifests();
    this.request = request;
    this.time = time;
    this.pace = pace;
    this.output = output;
    this.claims = new ClaimWait(ports, request, time, pace, output);
  }

  /**
   * Plans without a write. Asks the API server whether it would accept the new StatefulSet.
   *
   * @throws GrowthStoppedException if nothing may be written
   * @throws IOException if the state cannot be read
   */
  public GrowthPlan.Steps plan() throws GrowthStoppedException, IOException, InterruptedException {
    GrowthView view = reader.read(request);
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
    WriteResult<ObjectKey> trial =
        manifests.tryCreate(
            GrowthRequest.STATEFUL_SET,
            ObjectKey.of(request.statefulSet().namespace(), TRIAL_NAME),
            StoredStatefulSet.renamed(saved.toCreate(), TRIAL_NAME));
    if (trial instanceof WriteResult.Rejected<ObjectKey>(int code, String message)
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
        view = reader.read(request);
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
            manifests.deleteAndOrphan(GrowthRequest.STATEFUL_SET, set, uid, version),
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
    WriteResult<?> result =
        overwritten.isPresent()
            ? writer.patch(
                GrowthRequest.CONFIG_MAP,
                key,
                versioned(overwritten.get().uid(), overwritten.get().version())
                    .set(step.saved().data(), "data"))
            : manifests.create(GrowthRequest.CONFIG_MAP, key, step.saved().toConfigMap(key));
    record(result, "write ConfigMap " + key, "StatefulSet saved in ConfigMap " + key.name());
  }

  private static Document versioned(Uid uid, long version) {
    return Document.empty()
        .set(uid.toString(), "metadata", "uid")
        .set(Long.toString(version), "metadata", "resourceVersion");
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
    WriteResult<ObjectKey> result =
        manifests.create(GrowthRequest.STATEFUL_SET, key, saved.toCreate());
    if (result instanceof WriteResult.Rejected<ObjectKey>) {
      countFailure(
          "StatefulSet %s is deleted and its creation fails: %s; ConfigMap %s contains it"
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
      WriteResult<?> result =
          writer.patch(
              GrowthRequest.STATEFUL_SET,
              request.statefulSet(),
              versioned(current.uid(), current.version())
                  .set(managers, "metadata", "managedFields"));
      if (result instanceof WriteResult.Conflict<?>
          || result instanceof WriteResult.Unreachable<?>) {
        countFailure("cannot restore the field managers of the StatefulSet: " + result);
        return;
      }
    }
    ObjectKey key = request.configMap();
    SavedStatefulSet.Location location = view.location().orElseThrow();
    record(
        writer.delete(GrowthRequest.CONFIG_MAP, key, location.uid(), location.version()),
        "delete ConfigMap " + key,
        "ConfigMap " + key.name() + " deleted");
  }

  private void record(WriteResult<?> result, String action, String done)
      throws GrowthStoppedException, InterruptedException {
    switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> {
        failedAttempts = 0;
        output.accept(done);
      }
      case WriteResult.Rejected<?> _ ->
          throw new GrowthStoppedException("cannot " + action + ": " + result);
      case WriteResult.Conflict<?> _, WriteResult.Unreachable<?> _ ->
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
