package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.observe.ActualStateOfWorld;
import dev.mooring.attachdetach.observe.AttachViews;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;
import dev.mooring.attachdetach.observe.Populator;
import dev.mooring.attachdetach.observe.Recovery;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import dev.mooring.informer.Index;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Explains pods: which of their volumes is not attached, and who has it. */
public final class PodExplainer implements Explainer {
  private final Sight sight;
  private final DetachRules rules;
  private final Resolver resolver;
  private final DesiredStateOfWorld desired = new DesiredStateOfWorld();
  private final AttachViews views;

  /**
   * Over what is in sight now.
   *
   * @param byClaim the index of pods by claim, which the sight's pods must have beside {@link
   *     AttachDetachController#PODS_BY_NODE}
   * @param time the clock
   */
  public PodExplainer(Sight sight, Index<Pod, ObjectKey> byClaim, Time time) {
    this.sight = sight;
    this.rules = new DetachRules(true, DetachRules.SIX_MINUTES);
    this.resolver =
        new Resolver(
            sight.informer(Kind.CLAIM),
            sight.informer(Kind.VOLUME),
            sight.informer(Kind.CSI_DRIVER),
            sight.plugins());
    ActualStateOfWorld actual = new ActualStateOfWorld();
    Populator populator =
        new Populator(
            new Populator.Sources(
                sight.informer(Kind.POD),
                byClaim,
                sight.informer(Kind.VOLUME),
                sight.informer(Kind.NODE)),
            resolver,
            desired,
            actual,
            new Populator.Wake(one -> {}, node -> {}, node -> {}));
    new Recovery(
            new Recovery.Sources(
                sight.informer(Kind.NODE),
                sight.informer(Kind.ATTACHMENT),
                sight.informer(Kind.VOLUME)),
            resolver,
            actual,
            one -> {})
        .recover();
    for (Node node : sight.informer(Kind.NODE).snapshot().all()) {
      populator.take(new Populator.Trigger.OfNode(node.meta().name()));
    }
    this.views =
        new AttachViews(
            desired,
            actual,
            sight.informer(Kind.NODE),
            new AttachViews.Knowledge(
                (id, node) -> Running.NOTHING, (id, node) -> 0, (id, node) -> false),
            time);
  }

  @Override
  public Kind<?> kind() {
    return Kind.POD;
  }

  @Override
  public Set<Kind<?>> reads() {
    return Set.of(Kind.POD, Kind.CLAIM, Kind.VOLUME, Kind.NODE, Kind.CSI_DRIVER, Kind.ATTACHMENT);
  }

  @Override
  public List<Cause> catalogue() {
    return PodAnswer.catalogue();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Pod> found = sight.informer(Kind.POD).snapshot().get(key);
    if (found.isEmpty()) {
      return List.of();
    }
    Pod pod = found.get();
    List<Explanation> all = new ArrayList<>();
    absent(pod, all);
    if (!pod.nodeName().isEmpty() && !pod.isTerminated()) {
      List<Unseen> open = sight.leftOpen(restsOn());
      for (AttachTarget target : resolver.resolve(pod).targets()) {
        answer(pod, target).ifPresent(answer -> all.add(explained(pod, answer, open)));
      }
    }
    if (all.isEmpty()) {
      all.add(explained(pod, PodAnswer.ready(), List.of()));
    }
    return all;
  }

  private static Map<Kind<?>, String> restsOn() {
    Map<Kind<?>, String> open = new LinkedHashMap<>();
    open.put(Kind.NODE, "where the volume is attached, and how that node is");
    open.put(Kind.ATTACHMENT, "what the driver says of the attachment");
    open.put(Kind.CSI_DRIVER, "whether the volume has to be attached at all");
    return open;
  }

  /** The claims that the pod names and that are not there. Others explain themselves. */
  private void absent(Pod pod, List<Explanation> all) {
    if (sight.unseen(Kind.CLAIM).isPresent() || pod.isTerminated()) {
      return;
    }
    for (String claim : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), claim);
      boolean ephemeral = pod.ephemeral().stream().anyMatch(e -> pod.claimOf(e).equals(claim));
      if (!ephemeral && sight.informer(Kind.CLAIM).snapshot().get(key).isEmpty()) {
        all.add(explained(pod, PodAnswer.absent(claim), List.of()));
      }
    }
  }

  private Optional<PodAnswer> answer(Pod pod, AttachTarget target) {
    return AttachDecider.decide(views.of(target.id()), rules).stream()
        .filter(step -> step.node().equals(pod.nodeName()))
        .findFirst()
        .flatMap(step ->
            PodAnswer.of(
                step,
                target,
                errorOf(target.id(), pod.nodeName()),
                node -> users(target.id(), node)));
  }

  private String users(VolumeId id, String node) {
    return desired.uses(id, node).stream()
        .map(use -> "pod " + use.pod())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** What the driver said last of attaching the volume there; "" for nothing. */
  private String errorOf(VolumeId id, String node) {
    for (Attachment attachment : sight.informer(Kind.ATTACHMENT).snapshot().all()) {
      boolean same =
          attachment.nodeName().equals(node)
              && sight
                  .informer(Kind.VOLUME)
                  .snapshot()
                  .get(ObjectKey.cluster(attachment.volumeName()))
                  .map(resolver::target)
                  .filter(target -> target.id().equals(id))
                  .isPresent();
      if (same) {
        return attachment.attachError();
      }
    }
    return "";
  }

  private static Explanation explained(Pod pod, PodAnswer answer, List<Unseen> open) {
    return new Explanation(
        new Subject(Kind.POD, pod.key()),
        state(pod),
        0,
        answer.cause(),
        answer.note(),
        answer.next(),
        answer.evidence(),
        open);
  }

  private static String state(Pod pod) {
    if (pod.meta().isBeingDeleted()) {
      return "Terminating";
    }
    return switch (pod.phase()) {
      case UNSET, PENDING -> pod.nodeName().isEmpty() ? "Pending, unscheduled" : "Pending";
      case RUNNING -> "Running";
      case SUCCEEDED -> "Succeeded";
      case FAILED -> "Failed";
    };
  }
}
