package dev.mooring.csi;

import dev.mooring.csi.decide.NodeHealth;
import dev.mooring.csi.decide.NodeHealth.Condition;
import dev.mooring.csi.decide.NodeHealth.NodeState;
import dev.mooring.csi.decide.NodeHealth.NodeStep;
import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.csi.execute.DriverReporter;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.informer.Change;
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
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Emits events on claims of one driver whose pods run on a failed node, and when the node is back.
 * Equivalent to the node watcher of external-health-monitor. Only its single worker accesses the
 * marks.
 */
final class NodeHealthController {

  private final DriverSession session;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<Pod> pods;
  private final Informer<Node> nodes;
  private final DriverReporter reporter;
  private final Time time;
  private final WorkQueue<ObjectKey> queue;
  private final Map<ObjectKey, NodeState> marks = new HashMap<>();

  NodeHealthController(
      DriverSession session, SharedInformers informers, DriverReporter reporter, Time time) {
    this.session = session;
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.pods = informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM);
    this.nodes = informers.of(Kind.NODE);
    this.reporter = reporter;
    this.time = time;
    this.queue = new WorkQueue<>("csi-node-health-" + session.driver(), time);
  }

  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .reads(claims, volumes, pods, nodes)
        .on(nodes, this::nodeChanged)
        .loop(queue, this::sync, 1)
        .build();
  }

  private void nodeChanged(Change<Node> change) {
    if (!(change instanceof Change.Updated<Node>(Node before, Node now))
        || before.isReady() != now.isReady()) {
      queue.add(change.key());
    }
  }

  private Outcome sync(ObjectKey key) {
    Condition condition =
        nodes
            .get(key)
            .map(node -> node.isReady() ? Condition.READY : Condition.NOT_READY)
            .orElse(Condition.GONE);
    switch (NodeHealth.step(marks.get(key), condition, time.nanos())) {
      case NodeStep.Wait(NodeState.Since mark, Duration left) -> {
        marks.put(key, mark);
        return new Outcome.CheckAgain(left);
      }
      case NodeStep.Failed _ -> {
        emitOnClaims(key.name(), (claim, pods) -> failed(claim, key.name(), pods));
        marks.put(key, new NodeState.Reported());
      }
      case NodeStep.Recovered _ ->
          emitOnClaims(key.name(), (claim, pods) -> NodeHealth.recovered(key.name()));
      case NodeStep.Nothing _ -> {}
    }
    if (condition != Condition.NOT_READY) {
      marks.remove(key); // a new node of that name starts afresh
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
          || !volume.source().attribute("driver").equals(session.driver())) {
        continue;
      }
      List<String> pods = new ArrayList<>();
      for (Pod pod : this.pods.findByIndex(IndexSet.PODS_BY_CLAIM, ref.claim())) {
        if (pod.nodeName().equals(node)) {
          pods.add(pod.meta().name());
        }
      }
      Optional<Claim> claim = claims.get(ref.claim());
      if (!pods.isEmpty() && claim.isPresent()) {
        reporter.health(claim.get(), report.apply(claim.get(), pods));
      }
    }
  }
}
