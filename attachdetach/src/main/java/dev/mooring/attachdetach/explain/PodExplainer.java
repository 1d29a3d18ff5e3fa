package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

public final class PodExplainer extends AttachExplainer {
  public PodExplainer(ClusterView clusterView, Supplier<SnapshotStates> states) {
    super(Kind.POD, clusterView, states);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Pod> found = clusterView().informer(Kind.POD).get(key);
    if (found.isEmpty()) {
      return List.of();
    }
    Pod pod = found.get();
    List<Explanation> all = new ArrayList<>();
    absent(pod, all);
    if (!pod.isTerminated() && pod.usesVolumes()) {
      if (pod.nodeName().isEmpty()) {
        unscheduled(pod).ifPresent(answer -> all.add(explained(pod, answer, List.of())));
      } else if (states().isAbsent(pod.nodeName())) {
        all.add(explained(pod, PodAnswer.withoutNode(pod.nodeName()), List.of()));
      } else {
        List<UnreadableKind> open = clusterView().leftOpen(restsOn());
        for (AttachTarget target : states().targets(pod)) {
          answer(pod, target).ifPresent(answer -> all.add(explained(pod, answer, open)));
        }
      }
    }
    if (all.isEmpty()) {
      all.add(explained(pod, PodAnswer.ready(), List.of()));
    }
    return all;
  }

  private static Map<Kind<?>, String> restsOn() {
    Map<Kind<?>, String> open = new LinkedHashMap<>();
    open.put(Kind.NODE, "where the volume is attached, and the state of that node");
    open.put(Kind.ATTACHMENT, "what the driver reports about the attachment");
    open.put(Kind.CSI_DRIVER, "whether the volume needs an attachment");
    return open;
  }

  private void absent(Pod pod, List<Explanation> all) {
    if (clusterView().unseen(Kind.CLAIM).isPresent() || pod.isTerminated()) {
      return;
    }
    for (String claim : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), claim);
      boolean ephemeral = pod.ephemeral().stream().anyMatch(e -> pod.claimOf(e).equals(claim));
      if (!ephemeral && clusterView().informer(Kind.CLAIM).get(key).isEmpty()) {
        all.add(explained(pod, PodAnswer.absent(claim), List.of()));
      }
    }
  }

  private Optional<PodAnswer> oneAtATime(Pod pod) {
    for (String name : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), name);
      Optional<Claim> claim =
          clusterView()
              .informer(Kind.CLAIM)
              .get(key)
              .filter(c -> c.accessModes().mask() == AccessModes.READ_WRITE_ONCE_POD);
      if (claim.isPresent()) {
        for (Pod other :
            clusterView().informer(Kind.POD).findByIndex(IndexSet.PODS_BY_CLAIM, key)) {
          if (!other.nodeName().isEmpty()
              && !other.isTerminated()
              && !other.key().equals(pod.key())) {
            return Optional.of(PodAnswer.oneAtATime(name, other.meta().name()));
          }
        }
      }
    }
    return Optional.empty();
  }

  private Optional<PodAnswer> unscheduled(Pod pod) {
    Optional<PodAnswer> used = oneAtATime(pod);
    if (used.isPresent()) {
      return used;
    }
    if (clusterView().unseen(Kind.NODE).isPresent()) {
      return Optional.empty();
    }
    List<NeededVolume> volumes = bound(pod);
    if (volumes.isEmpty()) {
      return Optional.empty();
    }
    List<NodeFit> fits =
        NodeFit.of(clusterView().informer(Kind.NODE).snapshot().all(), volumes, limits(pod));
    return fits.stream().anyMatch(fit -> fit.failed() == 0)
        ? Optional.empty()
        : Optional.of(PodAnswer.nowhere(fits));
  }

  private List<NeededVolume> bound(Pod pod) {
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

  private Map<String, List<DriverLimit>> limits(Pod pod) {
    Map<String, Integer> wanted = new HashMap<>();
    for (AttachTarget target : states().targets(pod)) {
      target.id().csi().ifPresent(csi -> wanted.merge(csi.driver(), 1, Integer::sum));
    }
    Map<String, List<DriverLimit>> limits = new HashMap<>();
    if (wanted.isEmpty()) {
      return limits;
    }
    for (Node node : clusterView().informer(Kind.NODE).snapshot().all()) {
      String name = node.meta().name();
      List<DriverLimit> there = new ArrayList<>();
      for (CsiNode.Driver driver : states().driversOf(name)) {
        int more = wanted.getOrDefault(driver.name(), 0);
        if (more > 0 && driver.volumeLimit() >= 0) {
          int has = states().countOf(driver.name(), name);
          there.add(new DriverLimit(driver.name(), has, driver.volumeLimit(), more));
        }
      }
      limits.put(name, there);
    }
    return limits;
  }

  private Optional<PodAnswer> answer(Pod pod, AttachTarget target) {
    SnapshotStates seen = states();
    return seen.step(target.id(), pod.nodeName())
        // containers start after the kubelet has attached the volumes
        .filter(step -> !(step instanceof AttachStep.Leave) || pod.phase() != Pod.Phase.RUNNING)
        .flatMap(step -> PodAnswer.of(step, target, seen));
  }

  private static Explanation explained(Pod pod, PodAnswer answer, List<UnreadableKind> open) {
    return new Explanation(
        new SubjectRef(Kind.POD, pod.key()),
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
