package dev.mooring.manager.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.simulate.DestroyedData;
import dev.mooring.apiserver.simulate.NodeFailure;
import dev.mooring.explain.Explanation;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.explain.ClusterAnswers;
import dev.mooring.manager.explain.ExplainAnswer;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.manager.explain.ListedClusterView;
import dev.mooring.manager.explain.NotAnsweredException;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.storage.decide.Condemnation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public final class ClusterSimulation {
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(9),
          Duration.ofSeconds(50),
          Duration.ofMinutes(4),
          Duration.ofMinutes(5));

  private static final List<String> ASSUMPTIONS =
      List.of(
          "drivers and provisioners answer at once and without errors",
          "the scheduler checks taints, node selectors, required node affinity and volumes, but not resources, pod affinity or topology spread",
          "PodDisruptionBudgets allow every eviction; operators, webhooks and quotas do not act");

  /**
   * Input of a simulation.
   *
   * @param changes in their order
   * @param before controllers until the change
   * @param after controllers after the change
   * @param horizon simulated time after the change
   * @param assumptions what the source of the objects leaves out
   */
  public record Request(
      List<CopiedObject> objects,
      List<ClusterChange> changes,
      ManagerConfig before,
      ManagerConfig after,
      Duration horizon,
      List<String> assumptions) {
    boolean hasSnapshots() {
      return hasSnapshots(objects, changes);
    }

    /** Returns whether an object or a manifest of a change is a snapshot, content or class. */
    public static boolean hasSnapshots(List<CopiedObject> objects, List<ClusterChange> changes) {
      Stream<CopiedObject> applied =
          changes.stream()
              .flatMap(change ->
                  change instanceof ClusterChange.ApplyManifest(CopiedObject object)
                      ? Stream.of(object)
                      : Stream.empty());
      return Stream.concat(objects.stream(), applied)
          .anyMatch(object -> CopiedKinds.snapshots().contains(object.type()));
    }
  }

  private final Request request;
  private final Consumer<String> progress;

  public ClusterSimulation(Request request, Consumer<String> progress) {
    this.request = request;
    this.progress = progress;
  }

  /**
   * Runs the simulation.
   *
   * @throws IOException if an object or change is impossible; the message is one line with the
   *     remedy
   */
  public SimulationReport run() throws IOException, InterruptedException {
    progress.accept("copying %,d objects".formatted(request.objects().size()));
    try (SimulatedCluster cluster =
        new SimulatedCluster(request.objects(), request.hasSnapshots())) {
      ChangeWriter writer = new ChangeWriter(cluster.handlers());
      cluster.startControllers(request.before());
      progress.accept("waiting until the copy is at rest");
      cluster.settle(); // manifests of workloads have pods and claims only now
      writer.requireTargets(request.changes());
      ClusterState before = ClusterState.of(cluster.handlers());
      List<DestroyedData> destroyedBefore = cluster.storage().destroyedData();
      ExplainAnswer waitingBefore = explain(cluster);
      long writesBefore = cluster.writes();

      if (request.after() != request.before()) {
        cluster.startControllers(request.after());
      }
      for (ClusterChange change : request.changes()) {
        writer.write(change);
      }
      Duration elapsed = applyInTurn(cluster, request.changes());

      progress.accept("explaining what waits");
      List<DestroyedData> destroyed = cluster.storage().destroyedData();
      return new SimulationReport(
          losses(destroyed.subList(destroyedBefore.size(), destroyed.size())),
          losses(destroyedBefore),
          before.changesTo(ClusterState.of(cluster.handlers())),
          without(waitingBefore, explain(cluster)),
          waitingBefore.explanations().stream().filter(Explanation::isWaiting).count(),
          cluster.writes() - writesBefore,
          elapsed,
          assumptions(cluster));
    }
  }

  /**
   * Makes one change after the other, each when the cluster is at rest.
   *
   * @return the volumes whose data was destroyed, also those of deletions that were under way
   * @throws IOException if an object or change is impossible; the message is one line with the
   *     remedy
   */
  public List<DataLoss> runInOrder() throws IOException, InterruptedException {
    try (SimulatedCluster cluster =
        new SimulatedCluster(request.objects(), request.hasSnapshots())) {
      ChangeWriter writer = new ChangeWriter(cluster.handlers());
      cluster.startControllers(request.before());
      cluster.settle();
      List<ClusterChange> appliedChanges = new ArrayList<>();
      for (ClusterChange change : request.changes()) {
        writer.write(change);
        appliedChanges.add(change);
        if (change instanceof ClusterChange.RestoreNode(String node)) {
          appliedChanges.remove(new ClusterChange.FailNode(node));
        }
        applyInTurn(cluster, appliedChanges);
      }
      return losses(cluster.storage().destroyedData());
    }
  }

  /**
   * Runs the controllers until the objects are at rest, as manifests need it: they have neither
   * volumes nor a status.
   */
  public static List<CopiedObject> bringToRest(List<CopiedObject> objects, ManagerConfig config)
      throws IOException, InterruptedException {
    try (SimulatedCluster cluster =
        new SimulatedCluster(objects, Request.hasSnapshots(objects, List.of()))) {
      cluster.startControllers(config);
      cluster.settle();
      return CopiedKinds.all().stream()
          .flatMap(type ->
              cluster.handlers().store(type).list("").objects().stream()
                  .map(object -> new CopiedObject(type, object.copy(), "the manifests")))
          .toList();
    }
  }

  private Duration applyInTurn(SimulatedCluster cluster, List<ClusterChange> changes)
      throws IOException, InterruptedException {
    Duration elapsed = Duration.ZERO;
    Duration lastWrite = Duration.ZERO;
    int step = 0;
    while (true) {
      long version = cluster.writes();
      for (ClusterChange change : changes) {
        if (change instanceof ClusterChange.FailNode(String node)) {
          new NodeFailure(cluster.handlers(), node).evictPods(elapsed);
        }
      }
      progress.accept("simulating %s of %s".formatted(text(elapsed), text(request.horizon())));
      cluster.settle();
      lastWrite = cluster.writes() == version ? lastWrite : elapsed;
      if (elapsed.compareTo(request.horizon()) >= 0) {
        return lastWrite;
      }
      Duration next = STEPS.get(Math.min(step++, STEPS.size() - 1));
      Duration remaining = request.horizon().minus(elapsed);
      Duration interval = next.compareTo(remaining) < 0 ? next : remaining;
      cluster.advance(interval);
      elapsed = elapsed.plus(interval);
    }
  }

  static String text(Duration duration) {
    return duration.toMinutes() > 0
        ? duration.toMinutes()
            + "m"
            + (duration.toSecondsPart() == 0 ? "" : duration.toSecondsPart() + "s")
        : duration.toSeconds() + "s";
  }

  private ExplainAnswer explain(SimulatedCluster cluster) throws IOException, InterruptedException {
    try (KubeConnection connection = cluster.connect();
        LazyPlugins plugins = new LazyPlugins(cluster.noPlugins())) {
      KubeCluster reader = KubeCluster.alone(connection, cluster.time());
      return new ClusterAnswers(
              new ListedClusterView.Source(connection, reader, new KubeEvents(reader), plugins)
                  .withCaches(cluster.completeCaches()),
              new ClusterAnswers.Understanding(request.after().binder().policy().compat(), null),
              cluster.time())
          .explainWaiting("");
    } catch (NotAnsweredException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static ExplainAnswer without(ExplainAnswer before, ExplainAnswer after) {
    Set<String> waitingBefore =
        before.explanations().stream()
            .filter(Explanation::isWaiting)
            .map(ClusterSimulation::identity)
            .collect(Collectors.toSet());
    return new ExplainAnswer(
        after.explanations().stream()
            .filter(e -> e.isWaiting() && !waitingBefore.contains(identity(e)))
            .toList(),
        after.objects(),
        null,
        after.unseen());
  }

  private static String identity(Explanation e) {
    return e.subject() + " " + e.cause().code();
  }

  private static boolean delaysDeletion(CopiedObject object) {
    return !textAt(object.tree(), "metadata", "annotations", Condemnation.DELAY).isEmpty();
  }

  private static List<DataLoss> losses(List<DestroyedData> destroyed) {
    return destroyed.stream()
        .map(ClusterSimulation::loss)
        .sorted(Comparator.comparing(DataLoss::owner).thenComparing(DataLoss::name))
        .toList();
  }

  private static DataLoss loss(DestroyedData destroyed) {
    JsonObject object = destroyed.object();
    boolean isVolume = destroyed.type() == KindCatalogue.VOLUMES;
    boolean isGroup = destroyed.type().kind().contains("Group");
    String prefix = isGroup ? "volumeGroupSnapshot" : "volumeSnapshot";
    String ownerKind = isVolume ? "claim" : isGroup ? "group snapshot" : "snapshot";
    String reference = isVolume ? "claimRef" : prefix + "Ref";
    return new DataLoss(
        destroyed.type().singular(),
        textAt(object, "metadata", "name"),
        "%s %s/%s"
            .formatted(
                ownerKind,
                textAt(object, "spec", reference, "namespace"),
                textAt(object, "spec", reference, "name")),
        textAt(object, "spec", "capacity", "storage"),
        textAt(object, "spec", isVolume ? "storageClassName" : prefix + "ClassName"),
        destroyed.driver(),
        destroyed.cause());
  }

  private List<String> assumptions(SimulatedCluster cluster) {
    List<String> assumptions = new ArrayList<>(ASSUMPTIONS);
    if (cluster.lostOwners() > 0) {
      assumptions.add(
          "%,d objects have owners that were not copied; they are kept"
              .formatted(cluster.lostOwners()));
    }
    if (request.objects().stream().anyMatch(ClusterSimulation::delaysDeletion)) {
      assumptions.add("delays of deletions (%s) have passed".formatted(Condemnation.DELAY));
    }
    assumptions.addAll(request.assumptions());
    return assumptions;
  }
}
