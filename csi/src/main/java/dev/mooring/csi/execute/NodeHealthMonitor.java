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
    switch (NodeHealth.step(memory.node(key), condition, time.nanos())) {
      case NodeStep.Wait(NodeState.Since mark, Duration left) -> {
        memory.setNode(key, mark);
        return new Outcome.CheckAgain(left);
      }
      case NodeStep.Failed _ -> {
        emitOnClaims(key.name(), (claim, pods) -> failed(claim, key.name(), pods));
        memory.setNode(key, new NodeState.Reported());
      }
      case NodeStep.Recovered _ ->
          emitOnClaims(key.name(), (claim, pods) -> NodeHealth.recovered(key.name()));
      case NodeStep.Nothing _ -> {}
    }
    if (condition != Condition.NOT_READY) {
      memory.forgetNode(key);
    }
    return Outcome.SETTLED;
  }

  private static VolumeHealth.HealthEvent failed(Claim claim, String node, List<String> pods) {
    return NodeHealth.failed(claim.key().namespace(), claim.key().name(), node, pods);
  }

  private void emitOnClaims(
      String node, BiFunction<Claim, List<String>, VolumeHealth.HealthEvent> report) {
    for (Volume volume : volumes.snapshot().all()) {
      ClaimRef ref = volume.claimRef();
      if (ref == null
          || volume.phase() != VolumePhase.BOUND
          || !volume.source().attribute("driver").equals(driver)) {
        continue;
      }
      List<String> onNode = new ArrayList<>();
      for (Pod pod : pods.findByIndex(IndexSet.PODS_BY_CLAIM, ref.claim())) {
        if (pod.nodeName().equals(node)) {
          onNode.add(pod.meta().name());
        }
      }
      Optional<Claim> claim = claims.get(ref.claim());
      if (!onNode.isEmpty() && claim.isPresent()) {
        reporter.health(claim.get(), report.apply(claim.get(), onNode));
      }
    }
  }
}
