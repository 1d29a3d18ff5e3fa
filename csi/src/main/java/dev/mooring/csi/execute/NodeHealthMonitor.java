package dev.mooring.csi.execute;

import dev.mooring.csi.decide.NodeHealth;
import dev.mooring.csi.decide.NodeHealth.Condition;
import dev.mooring.csi.decide.NodeHealth.NodeState;
import dev.mooring.csi.decide.NodeHealth.NodeStep;
import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.csi.state.HealthMemory;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Emits events on claims of one driver whose pods run on a failed node, and when the node is back.
 * Equivalent to the node watcher of external-health-monitor. Runs on one thread.
 */
public final class NodeHealthMonitor {
  private final String driver;
  private final DriverReporter reporter;
  private final HealthMemory memory;
  private final Time time;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<Pod> pods;
  private final Informer<Node> nodes;

  public NodeHealthMonitor(
      String driver,
      SharedInformers informers,
      DriverReporter reporter,
      HealthMemory memory,
      Time time) {
    this.driver = driver;
    this.reporter = reporter;
    this.memory = memory;
    this.time = time;
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.pods = informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM);
    this.nodes = informers.of(Kind.NODE);
  }

  public ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(claims, volumes, pods, nodes);
  }

  public Outcome sync(ObjectKey key) {
    Condition condition =
        nodes
            .get(key)
            .map(node -> node.isReady() ? Condition.READY : Condition.NOT_READY)
            .orElse(Condition.GONE);
    switch (NodeHealth.decide(memory.nodeState(key), condition, time.nanos())) {
      case NodeStep.Wait(NodeState.NotReadySince state, Duration remaining) -> {
        memory.setNode(key, state);
        return new Outcome.CheckAgain(remaining);
      }
      case NodeStep.Failed _ -> {
        emitOnClaims(key.name(), (claim, podNames) -> failedEvent(claim, key.name(), podNames));
        memory.setNode(key, new NodeState.Reported());
      }
      case NodeStep.Recovered _ ->
          emitOnClaims(key.name(), (claim, podNames) -> NodeHealth.recoveredEvent(key.name()));
      case NodeStep.Nothing _ -> {}
    }
    if (condition != Condition.NOT_READY) {
      memory.forgetNode(key);
    }
    return Outcome.SETTLED;
  }

  private static VolumeHealth.HealthEvent failedEvent(
      Claim claim, String node, List<String> podNames) {
    return NodeHealth.failedEvent(claim.key().namespace(), claim.key().name(), node, podNames);
  }

  private void emitOnClaims(
      String node, BiFunction<Claim, List<String>, VolumeHealth.HealthEvent> createEvent) {
    for (Volume volume : volumes.snapshot().objects()) {
      ClaimRef ref = volume.claimRef();
      if (ref == null
          || volume.phase() != VolumePhase.BOUND
          || !volume.source().attribute("driver").equals(driver)) {
        continue;
      }
      List<String> podNames = new ArrayList<>();
      for (Pod pod : pods.findByIndex(IndexSet.PODS_BY_CLAIM, ref.claim())) {
        if (pod.nodeName().equals(node)) {
          podNames.add(pod.meta().name());
        }
      }
      Optional<Claim> claim = claims.get(ref.claim());
      if (!podNames.isEmpty() && claim.isPresent()) {
        reporter.emitHealth(claim.get(), createEvent.apply(claim.get(), podNames));
      }
    }
  }
}
