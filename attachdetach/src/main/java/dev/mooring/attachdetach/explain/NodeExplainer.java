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
      AttachReason reason, String title, String message, String error, NextStep nextStep) {}

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Node> cachedNode = clusterView().informer(Kind.NODE).get(key);
    if (cachedNode.isEmpty()) {
      return List.of();
    }
    Node node = cachedNode.get();
    Map<AttachReason, List<StuckVolume>> volumesByReason = new EnumMap<>(AttachReason.class);
    for (VolumeId id : states().volumesOn(key.name())) {
      explainVolume(id, key.name())
          .ifPresent(stuckVolume ->
              volumesByReason
                  .computeIfAbsent(stuckVolume.reason(), w -> new ArrayList<>())
                  .add(stuckVolume));
    }
    List<Explanation> explanations = new ArrayList<>();
    volumesByReason.forEach(
        (reason, volumes) -> explanations.add(createExplanation(node, reason, volumes)));
    explainFull(node).ifPresent(explanations::add);
    if (explanations.isEmpty()) {
      int count = states().volumesOn(key.name()).size();
      explanations.add(
          createExplanation(
              node,
              AttachReason.NODE_SETTLED,
              count == 0 ? "it has no volumes" : "it has " + describeCount(count),
              NextStep.NOTHING,
              Evidence.NONE));
    }
    return explanations;
  }

  private static String describeCount(int count) {
    return count == 1 ? "1 volume" : count + " volumes";
  }

  private Optional<StuckVolume> explainVolume(VolumeId id, String node) {
    if (clusterView().readError(Kind.POD).isPresent()
        || clusterView().readError(Kind.CLAIM).isPresent()) {
      return Optional.empty(); // whether a pod needs the volume is unknown
    }
    return switch (states().findStep(id, node).orElse(null)) {
      case AttachStep.Hold(VolumeHolder holder) -> Optional.of(explainHolder(id, node, holder));
      case AttachStep.Detach _ -> Optional.of(explainDetach(id, node));
      case AttachStep.Keep _ -> explainNeededElsewhere(id, node);
      case AttachStep.LeaveToKubelet _ -> explainLeftToKubelet(id, node);
      case AttachStep.Attach _, AttachStep.Busy _ -> Optional.of(explainAttach(id, node));
      case AttachStep.Blocked _ ->
          Optional.empty(); // the volume is elsewhere; the pod's explanation covers it
      case null -> Optional.empty();
    };
  }

  private StuckVolume explainHolder(VolumeId id, String node, VolumeHolder holder) {
    String title = states().title(id, node);
    return new StuckVolume(
        AttachmentView.findReason(holder),
        title,
        AttachNextSteps.describeHolder(holder, states().describeUsers(id, node))
            + describeWaitingNodes(id, node),
        findError(id, node, Attachment::detachError),
        AttachNextSteps.createStep(holder, title, states().findAttachment(id, node)));
  }

  private StuckVolume explainDetach(VolumeId id, String node) {
    String title = states().title(id, node);
    String message = "no pod here needs it" + describeWaitingNodes(id, node);
    if (states().isForeign(id, node)) {
      AttachReason reason = AttachReason.ATTACHED_BY_OTHERS;
      return new StuckVolume(reason, title, message, "", NextStep.person(reason.remedy()));
    }
    String remaining = states().describeRemainingPods(id, node);
    if (!remaining.isEmpty()) {
      return new StuckVolume(
          AttachReason.POD_REMAINS,
          title,
          remaining
              + " names its claim, which is no longer bound to it"
              + describeWaitingNodes(id, node),
          "",
          AttachNextSteps.detachAfterPods(title, node));
    }
    String error = findError(id, node, Attachment::detachError);
    return new StuckVolume(
        error.isEmpty() ? AttachReason.DETACH_DUE : AttachReason.DETACH_FAILED,
        title,
        message,
        error,
        AttachNextSteps.detach(title, node, states().findAttachment(id, node)));
  }

  private Optional<StuckVolume> explainNeededElsewhere(VolumeId id, String node) {
    String title = states().title(id, node);
    return states().findWaitingNodes(id, node).stream()
        .flatMap(blocked -> blocked.holders().stream())
        .filter(holder -> holder.node().equals(node))
        .findFirst()
        .map(holder ->
            new StuckVolume(
                AttachReason.NEEDED_ELSEWHERE,
                title,
                "used here by " + states().describeUsers(id, node) + describeWaitingNodes(id, node),
                "",
                AttachNextSteps.createStep(holder, title, states().findAttachment(id, node))));
  }

  private Optional<StuckVolume> explainLeftToKubelet(VolumeId id, String node) {
    String title = states().title(id, node);
    String waitingNodes = describeWaitingNodes(id, node);
    String users = states().describeUsers(id, node);
    VolumeHolder holder = new VolumeHolder(node, HoldReason.UNMANAGED, null);
    return waitingNodes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StuckVolume(
                AttachReason.LEFT_TO_KUBELET,
                title,
                AttachNextSteps.describeHolder(holder, users) + waitingNodes,
                "",
                AttachNextSteps.createStep(holder, title, states().findAttachment(id, node))));
  }

  private StuckVolume explainAttach(VolumeId id, String node) {
    String title = states().title(id, node);
    String error = findError(id, node, Attachment::attachError);
    return new StuckVolume(
        error.isEmpty() ? AttachReason.ATTACHING : AttachReason.ATTACH_FAILED,
        title,
        "needed here by " + states().describeUsers(id, node),
        error,
        AttachNextSteps.attach(title, node, states().findAttachment(id, node)));
  }

  private String findError(VolumeId id, String node, Function<Attachment, String> errorOf) {
    return states().findAttachment(id, node).map(errorOf).orElse("");
  }

  private String describeWaitingNodes(VolumeId id, String node) {
    return states().findWaitingNodes(id, node).stream()
        .map(blocked ->
            "; needed on " + blocked.node() + " by " + states().describeUsers(id, blocked.node()))
        .collect(Collectors.joining());
  }

  private Explanation createExplanation(Node node, AttachReason reason, List<StuckVolume> volumes) {
    List<String> titles = volumes.stream().map(StuckVolume::title).toList();
    return createExplanation(
        node,
        reason,
        (titles.size() == 1 ? "volume " : describeCount(titles.size()) + ": ")
            + Evidence.abbreviate(titles),
        volumes.getFirst().nextStep(),
        Evidence.ofHolders(
                volumes.stream()
                    .map(v -> new ObjectHolder("volume", v.title(), v.message()))
                    .toList())
            .withErrors(
                volumes.stream()
                    .map(StuckVolume::error)
                    .filter(e -> !e.isEmpty())
                    .distinct()
                    .toList()));
  }

  private Optional<Explanation> explainFull(Node node) {
    String name = node.meta().name();
    List<String> fullDrivers = new ArrayList<>();
    for (CsiNode.Driver driver : states().driversOf(name)) {
      int count = states().countVolumes(driver.name(), name);
      if (driver.volumeLimit() >= 0 && count >= driver.volumeLimit()) {
        fullDrivers.add("%d of %d of %s".formatted(count, driver.volumeLimit(), driver.name()));
      }
    }
    return fullDrivers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            createExplanation(
                node,
                AttachReason.NODE_FULL,
                "it has " + String.join(", ", fullDrivers),
                new NextStep(
                    StepActor.SCHEDULER,
                    ExpectedAction.SCHEDULE_ELSEWHERE,
                    name,
                    "puts pods with more such volumes on other nodes"),
                Evidence.NONE));
  }

  private Explanation createExplanation(
      Node node, AttachReason reason, String message, NextStep nextStep, Evidence evidence) {
    return new Explanation(
        new SubjectRef(Kind.NODE, node.key()),
        describeState(node),
        0,
        reason.cause(),
        message,
        nextStep,
        evidence.withFacts(createMeasures(node.meta().name())),
        clusterView().openQuestions(openFacts()));
  }

  private static Map<Kind<?>, String> openFacts() {
    Map<Kind<?>, String> facts = new LinkedHashMap<>();
    facts.put(Kind.ATTACHMENT, "which unlisted volumes the node may have");
    facts.put(Kind.CSI_NODE, "how many volumes the node may have");
    facts.put(Kind.POD, "whether pods need its volumes");
    facts.put(Kind.CLAIM, "whether pods need its volumes");
    facts.put(Kind.VOLUME, "which claims its volumes belong to");
    return facts;
  }

  private List<NamedFact> createMeasures(String node) {
    return states().driversOf(node).stream()
        .map(driver -> {
          int count = states().countVolumes(driver.name(), node);
          return new NamedFact(
              "attachments",
              driver.name(),
              driver.volumeLimit() < 0
                  ? count + ", no limit reported"
                  : count + " of " + driver.volumeLimit());
        })
        .toList();
  }

  private static String describeState(Node node) {
    String ready = node.isReady() ? "Ready" : "NotReady";
    return node.isOutOfService() ? ready + ", out of service" : ready;
  }
}
