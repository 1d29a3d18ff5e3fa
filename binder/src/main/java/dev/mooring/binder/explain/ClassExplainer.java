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
import java.util.stream.Collectors;
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
    return views.of(key).map(view -> List.of(explained(view, detail))).orElse(List.of());
  }

  private Explanation explained(ClassView view, Detail detail) {
    StorageClass storageClass = view.storageClass();
    String name = storageClass.meta().name();
    int waiting = views.waiting(name);
    Reason standing = view.standing();
    List<UnreadableKind> open = open(view);
    Cause cause = BinderCauses.of(standing);
    Cause ranked = ranked(standing, cause, waiting, open);
    return new Explanation(
        new SubjectRef(Kind.STORAGE_CLASS, storageClass.key()),
        storageClass.isDefault() ? "Default class" : "Class",
        0,
        ranked,
        note(view, waiting),
        ranked.rank() == CauseRank.FINE ? NextStep.NOTHING : NextStep.person(cause.remedy()),
        detail == Detail.EVIDENCE ? Evidence.NONE.with(measures(view, waiting)) : Evidence.NONE,
        open);
  }

  // a provisioner without evidence matters only if a claim waits for it
  private static Cause ranked(
      Reason standing, Cause cause, int waiting, List<UnreadableKind> open) {
    return switch (standing) {
      case PROVISIONER_NOT_SEEN, DRIVER_ON_NO_NODE, CAPACITY_NOT_TOLD ->
          !open.isEmpty()
              ? cause.in(CauseRank.UNKNOWN)
              : waiting == 0 ? cause.in(CauseRank.FINE) : cause;
      default -> cause;
    };
  }

  private static String note(ClassView view, int waiting) {
    String provisioner =
        switch (view.provisioning()) {
          case Provisioning.ByPlugin(String name) -> "plugin " + name + " provisions its volumes";
          case Provisioning.ByOthers(String name) ->
              "provisioner " + name + " provisions its volumes";
          case Provisioning.ByNobody(String why) -> view.isByHand() ? "none are provisioned" : why;
        };
    return provisioner
        + (waiting == 0
            ? ", and no claim is pending"
            : waiting == 1
                ? ", and 1 claim is pending"
                : ", and " + waiting + " claims are pending");
  }

  private List<UnreadableKind> open(ClassView view) {
    if (!(view.provisioning() instanceof Provisioning.ByOthers)) {
      return List.of();
    }
    Map<Kind<?>, String> kinds = new LinkedHashMap<>();
    kinds.put(Kind.CSI_DRIVER, "whether its driver is installed");
    kinds.put(Kind.CSI_NODE, "on which nodes its driver runs");
    if (view.driver().isEmpty() && view.nodesWithDriver() == 0) {
      kinds.put(Kind.LEASE, "whether its provisioner runs");
    }
    if (view.needsRoom()) {
      kinds.put(Kind.STORAGE_CAPACITY, "how much capacity there is");
    }
    return clusterView.leftOpen(kinds);
  }

  private List<NamedFact> measures(ClassView view, int waiting) {
    StorageClass of = view.storageClass();
    List<NamedFact> all = new ArrayList<>();
    all.add(new NamedFact("class", "provisioner", of.provisioner()));
    all.add(new NamedFact("class", "binding", binding(of)));
    all.add(new NamedFact("class", "expansion", of.allowsExpansion() ? "allowed" : "not allowed"));
    all.add(new NamedFact("class", "reclaim policy", of.reclaimPolicy().toString()));
    if (!of.allowedTopologies().isEmpty()) {
      all.add(new NamedFact("class", "allowed in", topologies(of)));
    }
    all.add(new NamedFact("class", "claims waiting", Integer.toString(waiting)));
    if (view.provisioning() instanceof Provisioning.ByOthers) {
      all.add(
          new NamedFact(
              "provisioner",
              "CSIDriver",
              clusterView.unseen(Kind.CSI_DRIVER).isPresent()
                  ? "not seen"
                  : view.driver().isPresent() ? "there" : "none of that name"));
      all.add(
          new NamedFact(
              "provisioner",
              "nodes",
              clusterView.unseen(Kind.CSI_NODE).isPresent()
                  ? "not seen"
                  : "%d of %d have the driver".formatted(view.nodesWithDriver(), view.nodes())));
      all.add(
          new NamedFact(
              "provisioner",
              "lease",
              clusterView.unseen(Kind.LEASE).isPresent() ? "not seen" : lease(view)));
    }
    view.room().stream()
        .map(ClassExplainer::room)
        .sorted(Comparator.comparing(NamedFact::name))
        .forEach(all::add);
    return all;
  }

  private String lease(ClassView view) {
    return view.lease() == LeaseState.NONE
        ? "none of that name"
        : views.leaseOf(view.storageClass()).orElse("none of that name");
  }

  private static String binding(StorageClass of) {
    return switch (of.binding()) {
      case IMMEDIATE -> "Immediate: when a claim exists";
      case WAIT_FOR_FIRST_CONSUMER -> "WaitForFirstConsumer: when its pod is scheduled";
      case UNSET -> "not set";
    };
  }

  private static String topologies(StorageClass of) {
    return of.allowedTopologies().stream()
        .map(term ->
            new TreeMap<>(term)
                .entrySet().stream()
                    .map(e -> e.getKey() + " in " + e.getValue())
                    .collect(Collectors.joining(" and ")))
        .collect(Collectors.joining(", or "));
  }

  private static NamedFact room(StorageCapacity capacity) {
    String most =
        capacity.maximumVolumeSize() == null
            ? ""
            : ", at most " + capacity.maximumVolumeSize() + " each";
    return new NamedFact(
        "capacity",
        where(capacity.nodeTopology()),
        (capacity.capacity() == null ? "not known" : capacity.capacity().toString()) + most);
  }

  private static String where(@Nullable LabelSelector nodes) {
    if (nodes == null) {
      return "nowhere";
    }
    LabelSelector sorted =
        new LabelSelector(new TreeMap<>(nodes.matchLabels()), nodes.matchExpressions());
    String text = sorted.toString();
    return text.isEmpty() ? "everywhere" : text;
  }
}
