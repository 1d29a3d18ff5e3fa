package dev.mooring.manager.explain;

import dev.mooring.attachdetach.AttachExplainers;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.explain.ClaimExplainer;
import dev.mooring.binder.explain.ClassExplainer;
import dev.mooring.binder.explain.SnapshotIndex;
import dev.mooring.binder.explain.VolumeExplainer;
import dev.mooring.csi.explain.HealthExplainer;
import dev.mooring.csi.explain.ModifyExplainer;
import dev.mooring.expander.explain.ResizeExplainer;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.populator.explain.PopulationExplainer;
import dev.mooring.protection.explain.EphemeralExplainer;
import dev.mooring.protection.explain.TerminationExplainer;
import dev.mooring.reconcile.Compat;
import dev.mooring.snapshots.explain.SnapshotExplainers;
import dev.mooring.snapshots.explain.SnapshotPlaces;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explainers of all kinds over one view of the cluster. Not thread-safe. */
public final class ClusterExplainers {
  public static final List<Kind<?>> EXPLAINED_KINDS =
      Stream.concat(
              Stream.of(
                  Kind.CLAIM,
                  Kind.VOLUME,
                  Kind.POD,
                  Kind.STORAGE_CLASS,
                  Kind.ATTACHMENT,
                  Kind.NODE),
              Kind.SNAPSHOT_KINDS.stream())
          .<Kind<?>>map(kind -> kind)
          .toList();

  public static final List<Kind<?>> NAMESPACED_KINDS =
      EXPLAINED_KINDS.stream().filter(Kind::namespaced).toList();

  public static final List<Kind<?>> MAIN_KINDS = List.of(Kind.CLAIM, Kind.VOLUME, Kind.POD);

  private static final Set<Kind<?>> READ_FOR_CLAIMS =
      Set.of(Kind.CLAIM, Kind.VOLUME, Kind.STORAGE_CLASS, Kind.POD, Kind.NODE, Kind.CSI_NODE);

  private static final Map<Kind<?>, Set<Kind<?>>> READ_KINDS =
      Map.of(
          Kind.CLAIM,
          union(Stream.of(READ_FOR_CLAIMS, ClassExplainer.READS)),
          Kind.VOLUME,
          READ_FOR_CLAIMS,
          Kind.POD,
          union(Stream.of(READ_FOR_CLAIMS, ClassExplainer.READS, AttachExplainers.READS)),
          Kind.STORAGE_CLASS,
          ClassExplainer.READS,
          Kind.ATTACHMENT,
          AttachExplainers.READS,
          Kind.NODE,
          AttachExplainers.READS);

  public static final Set<Kind<?>> ALL_READ_KINDS = readKinds(EXPLAINED_KINDS);

  private static final Set<String> BY_PROVISIONERS =
      Set.of("ExternalProvisioner", "ProvisionerUnknown", "DataSourceUnsupported");

  private final ClusterView clusterView;
  private final Compat compat;
  private final Time time;
  private final SnapshotIndex index;
  private final Map<Kind<?>, List<Explainer>> byKind = new HashMap<>();
  private final CauseChain causes;

  public ClusterExplainers(ClusterView clusterView, Compat compat, Time time) {
    this(clusterView, compat, time, new SnapshotIndex(policy(compat)));
  }

  public ClusterExplainers(ClusterView clusterView, Compat compat, Time time, SnapshotIndex index) {
    this.clusterView = clusterView;
    this.compat = compat;
    this.time = time;
    this.index = index;
    this.causes =
        new CauseChain(clusterView, (kind, key) -> explainObject(kind, key, Detail.SUMMARY));
  }

  static List<ClusterExplainers> forThreads(
      int threads, ClusterView clusterView, Compat compat, Time time) {
    SnapshotIndex index = new SnapshotIndex(policy(compat));
    return Stream.generate(() -> new ClusterExplainers(clusterView, compat, time, index))
        .limit(threads)
        .toList();
  }

  private static BinderPolicy policy(Compat compat) {
    return new BinderPolicy(compat, true);
  }

  private static Set<Kind<?>> union(Stream<Set<Kind<?>>> sets) {
    return sets.flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
  }

  public static Set<Kind<?>> readKinds(List<Kind<?>> kinds) {
    return union(
        kinds.stream()
            .map(kind ->
                Kind.SNAPSHOT_KINDS.contains(kind)
                    ? SnapshotExplainers.READS
                    : READ_KINDS.getOrDefault(kind, Set.of())));
  }

  private List<Explainer> explainers(Kind<?> kind) {
    List<Explainer> explainers = byKind.get(kind);
    if (explainers == null) {
      newExplainers(kind)
          .forEach(e -> byKind.computeIfAbsent(e.kind(), k -> new ArrayList<>()).add(e));
      explainers = byKind.getOrDefault(kind, List.of());
    }
    return explainers;
  }

  private List<Explainer> newExplainers(Kind<?> kind) {
    BinderPolicy policy = policy(compat);
    if (kind.equals(Kind.CLAIM)) {
      return List.of(
          new ClaimExplainer(clusterView, policy, index),
          new ResizeExplainer(clusterView, compat),
          new ModifyExplainer(clusterView),
          new HealthExplainer(clusterView),
          new PopulationExplainer(clusterView),
          TerminationExplainer.ofClaims(clusterView, compat));
    }
    if (kind.equals(Kind.VOLUME)) {
      return List.of(
          new VolumeExplainer(clusterView, policy, index, time),
          TerminationExplainer.ofVolumes(clusterView));
    }
    if (kind.equals(Kind.STORAGE_CLASS)) {
      return List.of(new ClassExplainer(clusterView, time));
    }
    if (Kind.SNAPSHOT_KINDS.contains(kind)) {
      return SnapshotExplainers.of(clusterView);
    }
    List<Explainer> explainers = new ArrayList<>(AttachExplainers.of(clusterView, time));
    explainers.add(new EphemeralExplainer(clusterView, compat));
    return explainers;
  }

  /**
   * Returns the explanations of one object, the most urgent first. Healthy ones are included only
   * if all are healthy. A pod's explanations include those of its claims. Empty if the object does
   * not exist.
   */
  public List<Explanation> explain(Kind<?> kind, ObjectKey key, Detail detail)
      throws InterruptedException {
    List<Explanation> explanations = explainObject(kind, key, detail);
    if (kind.equals(Kind.POD) && detail == Detail.EVIDENCE) {
      for (String claim : claimNames(key)) {
        List<Explanation> claimExplanations =
            explainObject(Kind.CLAIM, ObjectKey.of(key.namespace(), claim), Detail.SUMMARY);
        claimExplanations.removeIf(explanation -> !explanation.isWaiting());
        explanations.addAll(claimExplanations);
      }
    }
    if (explanations.stream().anyMatch(Explanation::isWaiting)) {
      explanations.removeIf(explanation -> !explanation.isWaiting());
    }
    explanations.sort(Explanation.PRECEDENCE);
    for (int i = 0; i < explanations.size(); i++) {
      explanations.set(i, causes.extend(explanations.get(i), kind, detail));
    }
    if (detail == Detail.EVIDENCE && !explanations.isEmpty()) {
      explanations.set(0, withFactsOfOthers(explanations.getFirst()));
    }
    return explanations;
  }

  private Explanation withFactsOfOthers(Explanation e) throws InterruptedException {
    Kind<?> kind = e.subject().kind();
    if (kind.equals(Kind.STORAGE_CLASS)) {
      return withDriverOutage(e);
    }
    return kind.equals(Kind.CLAIM) ? withSourcePlaces(e) : e;
  }

  private Explanation withSourcePlaces(Explanation e) throws InterruptedException {
    Optional<Claim> claim = clusterView.informer(Kind.CLAIM).get(e.subject().key());
    if (claim.isEmpty()) {
      return e;
    }
    List<NamedFact> facts = new ArrayList<>(e.evidence().facts());
    facts.addAll(new SnapshotPlaces(clusterView.reader()).describeSource(claim.get()));
    return e.withEvidence(e.evidence().withFacts(facts));
  }

  private Explanation withDriverOutage(Explanation e) throws InterruptedException {
    List<Claim> waiting = new ArrayList<>();
    for (Claim claim : clusterView.informer(Kind.CLAIM).snapshot().objects()) {
      if (claim.className().equals(e.subject().key().name()) && DriverOutages.isWaiting(claim)) {
        waiting.add(claim);
      }
    }
    Optional<String> outage = DriverOutages.find(waiting, clusterView.events(), time.now());
    if (outage.isEmpty()) {
      return e;
    }
    List<String> errors = new ArrayList<>(e.evidence().errors());
    errors.addFirst(outage.get());
    return e.withEvidence(e.evidence().withErrors(errors));
  }

  private List<String> claimNames(ObjectKey pod) {
    return clusterView.informer(Kind.POD).get(pod).map(Pod::claims).orElse(List.of());
  }

  private List<Explanation> explainObject(Kind<?> kind, ObjectKey key, Detail detail)
      throws InterruptedException {
    List<Explanation> explanations = new ArrayList<>();
    for (Explainer explainer : explainers(kind)) {
      explanations.addAll(explainer.explain(key, detail));
    }
    // no provisioner creates the volume of a claim that a populator fills
    if (explanations.stream().anyMatch(PopulationExplainer::isConclusive)) {
      explanations.removeIf(e -> BY_PROVISIONERS.contains(e.cause().code()));
    }
    return explanations;
  }

  public Stream<Cause> catalogue() {
    return EXPLAINED_KINDS.stream()
        .flatMap(kind -> explainers(kind).stream())
        .flatMap(explainer -> explainer.catalogue().stream());
  }
}
