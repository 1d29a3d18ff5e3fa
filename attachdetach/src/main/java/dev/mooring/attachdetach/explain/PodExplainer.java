package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.explain.NodeFit.DriverLimit;
import dev.mooring.attachdetach.explain.NodeFit.NeededVolume;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.informer.IndexSet;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

public final class PodExplainer extends AttachExplainer {
  public PodExplainer(ClusterView clusterView, Supplier<SnapshotStates> states) {
    super(Kind.POD, clusterView, states);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Pod> cachedPod = clusterView().informer(Kind.POD).get(key);
    if (cachedPod.isEmpty()) {
      return List.of();
    }
    Pod pod = cachedPod.get();
    List<Explanation> explanations = new ArrayList<>();
    explainAbsentClaims(pod, explanations);
    if (!pod.isTerminated() && pod.usesVolumes()) {
      if (pod.nodeName().isEmpty()) {
        explainUnscheduled(pod)
            .ifPresent(answer -> explanations.add(createExplanation(pod, answer, List.of())));
      } else if (states().isNodeAbsent(pod.nodeName())) {
        explanations.add(createExplanation(pod, PodAnswer.ofAbsentNode(pod.nodeName()), List.of()));
      } else {
        List<UnreadableKind> unreadableKinds = clusterView().openQuestions(openFacts());
        for (AttachTarget target : states().targets(pod)) {
          explainTarget(pod, target)
              .ifPresent(
                  answer -> explanations.add(createExplanation(pod, answer, unreadableKinds)));
        }
      }
    }
    if (explanations.isEmpty()) {
      explanations.add(createExplanation(pod, PodAnswer.ofReadyVolumes(), List.of()));
    }
    return explanations;
  }

  private static Map<Kind<?>, String> openFacts() {
    Map<Kind<?>, String> facts = new LinkedHashMap<>();
    facts.put(Kind.NODE, "where the volume is attached, and the state of that node");
    facts.put(Kind.ATTACHMENT, "what the driver reports about the attachment");
    facts.put(Kind.CSI_DRIVER, "whether the volume needs an attachment");
    return facts;
  }

  private void explainAbsentClaims(Pod pod, List<Explanation> explanations) {
    if (clusterView().readError(Kind.CLAIM).isPresent() || pod.isTerminated()) {
      return;
    }
    for (String claim : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), claim);
      boolean isEphemeral = pod.ephemeral().stream().anyMatch(e -> pod.claimOf(e).equals(claim));
      if (!isEphemeral && clusterView().informer(Kind.CLAIM).get(key).isEmpty()) {
        explanations.add(createExplanation(pod, PodAnswer.ofAbsentClaim(claim), List.of()));
      }
    }
  }

  private Optional<PodAnswer> explainExclusiveClaim(Pod pod) {
    for (String name : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), name);
      Optional<Claim> claim =
          clusterView()
              .informer(Kind.CLAIM)
              .get(key)
              .filter(c -> c.accessModes().mask() == AccessModes.READ_WRITE_ONCE_POD);
      if (claim.isPresent()) {
        for (Pod otherPod :
            clusterView().informer(Kind.POD).findByIndex(IndexSet.PODS_BY_CLAIM, key)) {
          if (!otherPod.nodeName().isEmpty()
              && !otherPod.isTerminated()
              && !otherPod.key().equals(pod.key())) {
            return Optional.of(PodAnswer.ofExclusiveClaim(name, otherPod.meta().name()));
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<PodAnswer> explainUnscheduled(Pod pod) {
    Optional<PodAnswer> claimAnswer = explainExclusiveClaim(pod);
    if (claimAnswer.isPresent()) {
      return claimAnswer;
    }
    if (clusterView().readError(Kind.NODE).isPresent()) {
      return Optional.empty();
    }
    List<NeededVolume> volumes = findBoundVolumes(pod);
    if (volumes.isEmpty()) {
      return Optional.empty();
    }
    List<NodeFit> fits =
        NodeFit.of(
            clusterView().informer(Kind.NODE).snapshot().objects(), volumes, findLimits(pod));
    return fits.stream().anyMatch(fit -> fit.countFailures() == 0)
        ? Optional.empty()
        : Optional.of(PodAnswer.ofUnreachableVolumes(fits));
  }

  private List<NeededVolume> findBoundVolumes(Pod pod) {
    List<NeededVolume> volumes = new ArrayList<>();
    for (String name : pod.claims()) {
      clusterView()
          .informer(Kind.CLAIM)
          .get(ObjectKey.of(pod.key().namespace(), name))
          .filter(claim -> claim.phase() == ClaimPhase.BOUND)
          .map(Claim::volumeName)
          .flatMap(volume -> clusterView().informer(Kind.VOLUME).get(ObjectKey.cluster(volume)))
          .ifPresent((Volume volume) ->
              volumes.add(new NeededVolume(volume.meta().name(), volume.nodeAffinity())));
    }
    return volumes;
  }

  private Map<String, List<DriverLimit>> findLimits(Pod pod) {
    Map<String, Set<VolumeId>> requestedVolumes = new HashMap<>();
    for (AttachTarget target : states().targets(pod)) {
      VolumeId id = target.id();
      id.csi()
          .ifPresent(
              csi -> requestedVolumes.computeIfAbsent(csi.driver(), d -> new HashSet<>()).add(id));
    }
    Map<String, List<DriverLimit>> limits = new HashMap<>();
    if (requestedVolumes.isEmpty()) {
      return limits;
    }
    for (Node node : clusterView().informer(Kind.NODE).snapshot().objects()) {
      String name = node.meta().name();
      List<DriverLimit> nodeLimits = new ArrayList<>();
      for (CsiNode.Driver driver : states().driversOf(name)) {
        int requested =
            states().countUnneeded(requestedVolumes.getOrDefault(driver.name(), Set.of()), name);
        if (requested > 0 && driver.volumeLimit() >= 0) {
          int attached = states().countVolumes(driver.name(), name);
          nodeLimits.add(new DriverLimit(driver.name(), attached, driver.volumeLimit(), requested));
        }
      }
      limits.put(name, nodeLimits);
    }
    return limits;
  }

  private Optional<PodAnswer> explainTarget(Pod pod, AttachTarget target) {
    SnapshotStates snapshotStates = states();
    return snapshotStates
        .findStep(target.id(), pod.nodeName())
        // containers start after the kubelet has attached the volumes
        .filter(step ->
            !(step instanceof AttachStep.LeaveToKubelet) || pod.phase() != Pod.Phase.RUNNING)
        .flatMap(step -> PodAnswer.of(step, target, snapshotStates));
  }

  private static Explanation createExplanation(
      Pod pod, PodAnswer answer, List<UnreadableKind> unreadableKinds) {
    return new Explanation(
        new SubjectRef(Kind.POD, pod.key()),
        describeState(pod),
        0,
        answer.cause(),
        answer.message(),
        answer.nextStep(),
        answer.evidence(),
        unreadableKinds);
  }

  private static String describeState(Pod pod) {
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
