package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.decide.ClassView;
import dev.mooring.binder.decide.ClassView.LeaseState;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.TopologyText;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Explains storage classes: their provisioner, whether it runs, and its capacity. */
public final class ClassExplainer implements Explainer {
  public static final Set<Kind<?>> READS =
      Set.of(
          Kind.STORAGE_CLASS,
          Kind.CLAIM,
          Kind.VOLUME,
          Kind.POD,
          Kind.NODE,
          Kind.CSI_DRIVER,
          Kind.CSI_NODE,
          Kind.STORAGE_CAPACITY,
          Kind.LEASE);

  private final ClusterView clusterView;
  private final ClassViews views;

  public ClassExplainer(ClusterView clusterView, Time time) {
    this.clusterView = clusterView;
    this.views =
        new ClassViews(
            clusterView,
            new BinderViews(clusterView::informer, clusterView.plugins(), BinderPolicy.DEFAULTS),
            time);
  }

  @Override
  public Kind<?> kind() {
    return Kind.STORAGE_CLASS;
  }

  @Override
  public List<Cause> catalogue() {
    return BinderCauses.ofClasses();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    return views.of(key).map(view -> List.of(explainClass(view, detail))).orElse(List.of());
  }

  private Explanation explainClass(ClassView view, Detail detail) {
    StorageClass storageClass = view.storageClass();
    String name = storageClass.meta().name();
    int pendingClaims = views.countPendingClaims(name);
    Reason reason = view.reason();
    List<UnreadableKind> unreadable = unreadableKinds(view);
    Cause cause = BinderCauses.of(reason);
    Cause ranked = ranked(reason, cause, pendingClaims, unreadable);
    return new Explanation(
        new SubjectRef(Kind.STORAGE_CLASS, storageClass.key()),
        storageClass.isDefault() ? "Default class" : ranked.code(),
        0,
        ranked,
        describeState(view, pendingClaims),
        ranked.rank() == CauseRank.FINE ? NextStep.NOTHING : NextStep.person(cause.remedy()),
        detail == Detail.EVIDENCE
            ? Evidence.NONE.withFacts(listFacts(view, pendingClaims))
            : Evidence.NONE,
        unreadable);
  }

  // a provisioner without evidence matters only if a claim waits for it
  private static Cause ranked(
      Reason reason, Cause cause, int pendingClaims, List<UnreadableKind> unreadable) {
    return switch (reason) {
      case PROVISIONER_NOT_SEEN, DRIVER_ON_NO_NODE, CAPACITY_UNPUBLISHED ->
          !unreadable.isEmpty()
              ? cause.withRank(CauseRank.UNKNOWN)
              : pendingClaims == 0 ? cause.withRank(CauseRank.FINE) : cause;
      default -> cause;
    };
  }

  private static String describeState(ClassView view, int pendingClaims) {
    String provisioner =
        switch (view.provisioning()) {
          case Provisioning.ByPlugin(String name) -> "plugin " + name + " provisions its volumes";
          case Provisioning.ByOthers(String name) ->
              "provisioner " + name + " provisions its volumes";
          case Provisioning.Unserved(String reason) ->
              view.isStatic() ? "none are provisioned" : reason;
        };
    return provisioner
        + (pendingClaims == 0
            ? ", and no claim is pending"
            : pendingClaims == 1
                ? ", and 1 claim is pending"
                : ", and " + pendingClaims + " claims are pending");
  }

  private List<UnreadableKind> unreadableKinds(ClassView view) {
    if (!(view.provisioning() instanceof Provisioning.ByOthers)) {
      return List.of();
    }
    Map<Kind<?>, String> kinds = new LinkedHashMap<>();
    kinds.put(Kind.CSI_DRIVER, "whether its driver is installed");
    kinds.put(Kind.CSI_NODE, "on which nodes its driver runs");
    if (view.driver().isEmpty() && view.nodesWithDriver() == 0) {
      kinds.put(Kind.LEASE, "whether its provisioner runs");
    }
    if (view.needsCapacity()) {
      kinds.put(Kind.STORAGE_CAPACITY, "how much capacity there is");
    }
    return clusterView.openQuestions(kinds);
  }

  private List<NamedFact> listFacts(ClassView view, int pendingClaims) {
    StorageClass storageClass = view.storageClass();
    List<NamedFact> facts = new ArrayList<>();
    facts.add(new NamedFact("class", "provisioner", storageClass.provisioner()));
    facts.add(new NamedFact("class", "binding", binding(storageClass)));
    facts.add(
        new NamedFact(
            "class", "expansion", storageClass.allowsExpansion() ? "allowed" : "not allowed"));
    facts.add(new NamedFact("class", "reclaim policy", storageClass.reclaimPolicy().toString()));
    if (!storageClass.allowedTopologies().isEmpty()) {
      facts.add(new NamedFact("class", "allowed in", describeTopologies(storageClass)));
    }
    facts.add(new NamedFact("class", "claims waiting", Integer.toString(pendingClaims)));
    if (view.provisioning() instanceof Provisioning.ByOthers) {
      facts.add(
          new NamedFact(
              "provisioner",
              "CSIDriver",
              clusterView.readError(Kind.CSI_DRIVER).isPresent()
                  ? "not seen"
                  : view.driver().isPresent() ? "there" : "none of that name"));
      facts.add(
          new NamedFact(
              "provisioner",
              "nodes",
              clusterView.readError(Kind.CSI_NODE).isPresent()
                  ? "not seen"
                  : "%d of %d have the driver".formatted(view.nodesWithDriver(), view.nodes())));
      facts.add(
          new NamedFact(
              "provisioner",
              "lease",
              clusterView.readError(Kind.LEASE).isPresent() ? "not seen" : lease(view)));
    }
    view.capacities().stream()
        .map(ClassExplainer::capacityFact)
        .sorted(Comparator.comparing(NamedFact::name))
        .forEach(facts::add);
    return facts;
  }

  private String lease(ClassView view) {
    return view.lease() == LeaseState.NONE
        ? "none of that name"
        : views.leaseOf(view.storageClass()).orElse("none of that name");
  }

  private static String binding(StorageClass storageClass) {
    return switch (storageClass.binding()) {
      case IMMEDIATE -> "Immediate: when a claim exists";
      case WAIT_FOR_FIRST_CONSUMER -> "WaitForFirstConsumer: when its pod is scheduled";
      case UNSET -> "not set";
    };
  }

  private static String describeTopologies(StorageClass storageClass) {
    return TopologyText.describe(storageClass.allowedTopologies());
  }

  private static NamedFact capacityFact(StorageCapacity capacity) {
    String maximumSize =
        capacity.maximumVolumeSize() == null
            ? ""
            : ", at most " + capacity.maximumVolumeSize() + " each";
    return new NamedFact(
        "capacity",
        describeNodes(capacity.nodeTopology()),
        (capacity.capacity() == null ? "not known" : capacity.capacity().toString()) + maximumSize);
  }

  private static String describeNodes(@Nullable LabelSelector nodes) {
    if (nodes == null) {
      return "nowhere";
    }
    LabelSelector sorted =
        new LabelSelector(new TreeMap<>(nodes.matchLabels()), nodes.matchExpressions());
    String text = sorted.toString();
    return text.isEmpty() ? "everywhere" : text;
  }
}
