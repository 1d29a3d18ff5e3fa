package dev.mooring.attachdetach;

import com.google.inject.Inject;
import dev.mooring.attachdetach.decide.LiveNode;
import dev.mooring.attachdetach.decide.OutOfServiceCheck;
import dev.mooring.attachdetach.decide.OutOfServiceCheck.Death;
import dev.mooring.attachdetach.decide.OutOfServiceCheck.TaintFinding;
import dev.mooring.attachdetach.decide.OutOfServiceCheck.TaintVerdict;
import dev.mooring.attachdetach.decide.OutOfServiceMark;
import dev.mooring.attachdetach.execute.MachineProofs;
import dev.mooring.attachdetach.execute.OutOfServiceReporter;
import dev.mooring.attachdetach.execute.OutOfServiceTaints;
import dev.mooring.attachdetach.state.LastingProofs;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.OwnedKey;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.cluster.ReportedNotes;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Adds Kubernetes' out-of-service taint to nodes that a plugin has proven to be off, and removes it
 * after their next start. For {@code --mode=beside}, where kube-controller-manager detaches.
 */
public final class OutOfServiceController {
  public static final String NAME = "node-out-of-service";

  public static final List<OwnedKey> MARKS =
      List.of(
          OwnedKey.annotation(
              Kind.NODE,
              OutOfServiceMark.ANNOTATION,
              "the out-of-service taint of the node is Mooring's own"));

  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("marking nodes that are off as out of service")
          .mayCache(Kind.NODE)
          .may(Kind.NODE, Verb.GET, Verb.PATCH)
          .mayEmitEvents();

  // time between two questions to the plugins about a node that is not ready
  private static final Duration PROOF_PERIOD = Duration.ofSeconds(5);

  // time between two checks for a restart, which the Ready condition may not show
  private static final Duration RESTART_PERIOD = Duration.ofMinutes(1);

  private static final int WORKERS = 8;

  private final Informer<Node> nodes;
  private final LoadedPlugins plugins;
  private final MachineProofs proofs;
  private final OutOfServiceTaints taints;
  private final Time time;
  private final WorkQueue<ObjectKey> queue;
  private final ReportedNotes<ObjectKey> reportedBoots = new ReportedNotes<>();
  private final LastingProofs lastingProofs = new LastingProofs();

  @Inject
  public OutOfServiceController(
      SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins) {
    this.nodes = informers.of(Kind.NODE);
    this.plugins = plugins;
    this.proofs = new MachineProofs(plugins);
    this.taints = new OutOfServiceTaints(ports, new OutOfServiceReporter(ports.events(), NAME));
    this.time = ports.time();
    this.queue = new WorkQueue<>(NAME, time);
  }

  /** Returns whether a plugin can prove that machines are off. */
  public static boolean canProveDeath(LoadedPlugins plugins) {
    return new MachineProofs(plugins).canProve();
  }

  public long countTainted() {
    return nodes.snapshot().toList().stream()
        .filter(
            node -> node.isOutOfService() && node.meta().hasAnnotation(OutOfServiceMark.ANNOTATION))
        .count();
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(nodes)
        .addHandler(nodes, this::nodeChanged)
        .once(() -> plugins.onChange(changed -> requeueNodes()))
        .loop(queue, this::reconcile, WORKERS)
        .build();
  }

  private void nodeChanged(Change<Node> change) {
    switch (change) {
      case Change.Added<Node>(Node current) -> queue.add(current.key());
      case Change.Updated<Node>(Node old, Node current) when !hasSameInputs(old, current) ->
          queue.add(current.key());
      case Change.Updated<Node> _ -> {} // a heartbeat
      case Change.Deleted<Node>(Node last, _) -> {
        queue.forget(last.key());
        forget(last.key());
      }
    }
  }

  private static boolean hasSameInputs(Node old, Node current) {
    return !old.isReplacedBy(current)
        && Objects.equals(old.ready(), current.ready())
        && old.taints().equals(current.taints())
        && old.meta().annotations().equals(current.meta().annotations());
  }

  private void forget(ObjectKey node) {
    reportedBoots.forget(node);
    lastingProofs.forget(node);
  }

  private void requeueNodes() {
    for (Node node : nodes.snapshot().objects()) {
      if (OutOfServiceCheck.isConcerned(node)) {
        queue.add(node.key());
      }
    }
  }

  private Outcome reconcile(ObjectKey key) throws InterruptedException {
    Optional<Node> cachedNode = nodes.get(key).filter(OutOfServiceCheck::isConcerned);
    if (cachedNode.isEmpty()) {
      forget(key);
      return Outcome.SETTLED;
    }
    if (OutOfServiceCheck.isSuspect(cachedNode.get())) {
      if (!proofs.canProve()) {
        return Outcome.SETTLED; // until such a plugin is loaded
      }
      if (proofs.findDeath(key.name()).isEmpty()) {
        return new Outcome.CheckAgain(PROOF_PERIOD);
      }
    }
    return act(decide(key));
  }

  // Reads the proof last: it must not be older than the node.
  private TaintVerdict decide(ObjectKey key) throws InterruptedException {
    TaintFinding finding = OutOfServiceCheck.decide(taints.read(key));
    Optional<Death> death =
        finding instanceof TaintVerdict ? Optional.empty() : proofs.findDeath(key.name());
    return OutOfServiceCheck.decideByDeath(finding, death, time.now());
  }

  private Outcome act(TaintVerdict verdict) throws InterruptedException {
    return switch (verdict) {
      case TaintVerdict.Taint(LiveNode node, OutOfServiceMark mark) -> taints.addTaint(node, mark);
      case TaintVerdict.Untaint(LiveNode node, OutOfServiceMark mark) ->
          taints.removeTaint(node, mark);
      case TaintVerdict.Unmark(LiveNode node) -> taints.removeMark(node);
      case TaintVerdict.KeepTaint(LiveNode node) -> {
        if (reportedBoots.isNew(node.meta().key(), describeBoot(node))) {
          taints.reporter().reportKept(node);
        }
        yield new Outcome.CheckAgain(RESTART_PERIOD);
      }
      case TaintVerdict.KeepByProof(LiveNode node, Death death) -> {
        String boot = describeBoot(node);
        if (lastingProofs.recordProof(node.meta().key(), boot, time.nanos())
            && reportedBoots.isNew(node.meta().key(), boot)) {
          taints.reporter().reportKeptByProof(node, death);
        }
        yield new Outcome.CheckAgain(PROOF_PERIOD);
      }
      case TaintVerdict.KeepUnmarked(LiveNode node) -> {
        if (reportedBoots.isNew(node.meta().key(), node.meta().uid() + " without annotation")) {
          taints.reporter().reportKeptUnmarked(node);
        }
        yield Outcome.SETTLED; // a change of the node requeues it
      }
      case TaintVerdict.AwaitRestart() -> new Outcome.CheckAgain(RESTART_PERIOD);
      case TaintVerdict.Recheck() -> new Outcome.CheckAgain(PROOF_PERIOD);
      case TaintVerdict.Nothing() -> Outcome.SETTLED;
      case TaintVerdict.Unknown(String message) ->
          new Outcome.Unanswered("reading the node: " + message);
    };
  }

  private static String describeBoot(LiveNode node) {
    return node.meta().uid() + " " + node.bootId();
  }
}
