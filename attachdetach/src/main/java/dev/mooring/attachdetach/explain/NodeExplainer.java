package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeHolder.HoldReason;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

public final class NodeExplainer extends AttachExplainer {
  public NodeExplainer(ClusterView clusterView, Supplier<SnapshotStates> states) {
    super(Kind.NODE, clusterView, states);
  }

  // a volume that waits on the node, or that another node waits for
  private record StuckVolume(
      AttachReason why, String title, String note, String error, NextStep next) {}

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Node> found = clusterView().informer(Kind.NODE).get(key);
    if (found.isEmpty()) {
      return List.of();
    }
    Node node = found.get();
    Map<AttachReason, List<StuckVolume>> stuck = new EnumMap<>(AttachReason.class);
    for (VolumeId id : states().volumesOn(key.name())) {
      explainVolume(id, key.name())
          .ifPresent(one -> stuck.computeIfAbsent(one.why(), w -> new ArrayList<>()).add(one));
    }
    List<Explanation> all = new ArrayList<>();
    stuck.forEach((why, volumes) -> all.add(explained(node, why, volumes)));
    full(node).ifPresent(all::add);
    if (all.isEmpty()) {
      int has = states().volumesOn(key.name()).size();
      all.add(
          explained(
              node,
              AttachReason.NODE_SETTLED,
              has == 0 ? "it has no volumes" : "it has " + volumes(has),
              NextStep.NOTHING,
              Evidence.NONE));
    }
    return all;
  }

  private static String volumes(int count) {
    return count == 1 ? "1 volume" : count + " volumes";
  }

  private Optional<StuckVolume> explainVolume(VolumeId id, String node) {
    if (clusterView().unseen(Kind.POD).isPresent()
        || clusterView().unseen(Kind.CLAIM).isPresent()) {
      return Optional.empty(); // whether a pod needs the volume is unknown
    }
    return switch (states().step(id, node).orElse(null)) {
      case AttachStep.Hold(VolumeHolder holder) -> Optional.of(held(id, node, holder));
      case AttachStep.Detach _ -> Optional.of(leaving(id, node));
      case AttachStep.Keep _ -> neededElsewhere(id, node);
      case AttachStep.Leave _ -> leftToKubelet(id, node);
      case AttachStep.Attach _, AttachStep.Busy _ -> Optional.of(coming(id, node));
      case AttachStep.Blocked _ ->
          Optional.empty(); // the volume is elsewhere; the pod's explanation covers it
      case null -> Optional.empty();
    };
  }

  private StuckVolume held(VolumeId id, String node, VolumeHolder holder) {
    String title = states().title(id, node);
    return new StuckVolume(
        AttachmentView.reason(holder),
        title,
        AttachNextSteps.note(holder, states().users(id, node)) + waitingElsewhere(id, node),
        error(id, node, Attachment::detachError),
        AttachNextSteps.of(holder, title, states().attachment(id, node)));
  }

  private StuckVolume leaving(VolumeId id, String node) {
    String title = states().title(id, node);
    String note = "no pod here needs it" + waitingElsewhere(id, node);
    if (states().isByOthers(id, node)) {
      AttachReason why = AttachReason.ATTACHED_BY_OTHERS;
      return new StuckVolume(why, title, note, "", NextStep.person(why.remedy()));
    }
    String remaining = states().remainingPods(id, node);
    if (!remaining.isEmpty()) {
      return new StuckVolume(
          AttachReason.POD_REMAINS,
          title,
          remaining
              + " names its claim, which is no longer bound to it"
              + waitingElsewhere(id, node),
          "",
          AttachNextSteps.whenPodsEnd(title, node));
    }
    String error = error(id, node, Attachment::detachError);
    return new StuckVolume(
        error.isEmpty() ? AttachReason.DETACH_DUE : AttachReason.DETACH_FAILED,
        title,
        note,
        error,
        AttachNextSteps.detach(title, node, states().attachment(id, node)));
  }

  private Optional<StuckVolume> neededElsewhere(VolumeId id, String node) {
    String title = states().title(id, node);
    String others = waitingElsewhere(id, node);
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StuckVolume(
                AttachReason.NEEDED_ELSEWHERE,
                title,
                "used here by " + states().users(id, node) + others,
                "",
                NextStep.person("end the pods that use volume " + title + " on " + node)));
  }

  private Optional<StuckVolume> leftToKubelet(VolumeId id, String node) {
    String title = states().title(id, node);
    String others = waitingElsewhere(id, node);
    String users = states().users(id, node);
    VolumeHolder holder = new VolumeHolder(node, HoldReason.UNMANAGED, null);
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StuckVolume(
                AttachReason.LEFT_TO_KUBELET,
                title,
                AttachNextSteps.note(holder, users) + others,
                "",
                AttachNextSteps.of(holder, title, states().attachment(id, node))));
  }

  private StuckVolume coming(VolumeId id, String node) {
    String title = states().title(id, node);
    String error = error(id, node, Attachment::attachError);
    return new StuckVolume(
        error.isEmpty() ? AttachReason.ATTACHING : AttachReason.ATTACH_FAILED,
        title,
        "needed here by " + states().users(id, node),
        error,
        AttachNextSteps.attach(title, node, states().attachment(id, node)));
  }

  private String error(VolumeId id, String node, Function<Attachment, String> which) {
    return states().attachment(id, node).map(which).orElse("");
  }

  private String waitingElsewhere(VolumeId id, String node) {
    return states().waitingNodes(id, node).stream()
        .map(blocked ->
            "; needed on " + blocked.node() + " by " + states().users(id, blocked.node()))
        .collect(Collectors.joining());
  }

  private Explanation explained(Node node, AttachReason why, List<StuckVolume> volumes) {
    List<String> titles = volumes.stream().map(StuckVolume::title).toList();
    return explained(
        node,
        why,
        (titles.size() == 1 ? "volume " : volumes(titles.size()) + ": ") + Evidence.few(titles),
        volumes.getFirst().next(),
        Evidence.heldBy(
                volumes.stream().map(v -> new ObjectHolder("volume", v.title(), v.note())).toList())
            .withErrors(
                volumes.stream()
                    .map(StuckVolume::error)
                    .filter(e -> !e.isEmpty())
                    .distinct()
                    .toList()));
  }

  private Optional<Explanation> full(Node node) {
    String name = node.meta().name();
    List<String> full = new ArrayList<>();
    for (CsiNode.Driver driver : states().driversOf(name)) {
      int has = states().countOf(driver.name(), name);
      if (driver.volumeLimit() >= 0 && has >= driver.volumeLimit()) {
        full.add("%d of %d of %s".formatted(has, driver.volumeLimit(), driver.name()));
      }
    }
    return full.isEmpty()
        ? Optional.empty()
        : Optional.of(
            explained(
                node,
                AttachReason.NODE_FULL,
                "it has " + String.join(", ", full),
                new NextStep(
                    StepActor.SCHEDULER,
                    ExpectedAction.SCHEDULE_ELSEWHERE,
                    name,
                    "puts pods with more such volumes on other nodes"),
                Evidence.NONE));
  }

  private Explanation explained(
      Node node, AttachReason why, String note, NextStep next, Evidence evidence) {
    return new Explanation(
        new SubjectRef(Kind.NODE, node.key()),
        state(node),
        0,
        why.cause(),
        note,
        next,
        evidence.with(measures(node.meta().name())),
        clusterView().leftOpen(open()));
  }

  private static Map<Kind<?>, String> open() {
    Map<Kind<?>, String> open = new LinkedHashMap<>();
    open.put(Kind.ATTACHMENT, "which unlisted volumes the node may have");
    open.put(Kind.CSI_NODE, "how many volumes the node may have");
    open.put(Kind.POD, "whether pods need its volumes");
    open.put(Kind.CLAIM, "whether pods need its volumes");
    open.put(Kind.VOLUME, "which claims its volumes belong to");
    return open;
  }

  private List<NamedFact> measures(String node) {
    return states().driversOf(node).stream()
        .map(driver -> {
          int has = states().countOf(driver.name(), node);
          return new NamedFact(
              "attachments",
              driver.name(),
              driver.volumeLimit() < 0
                  ? has + ", no limit reported"
                  : has + " of " + driver.volumeLimit());
        })
        .toList();
  }

  private static String state(Node node) {
    String ready = node.isReady() ? "Ready" : "NotReady";
    return node.isOutOfService() ? ready + ", out of service" : ready;
  }
}
