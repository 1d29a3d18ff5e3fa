package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachQueues;
import dev.mooring.attachdetach.state.AttachQueues.VolumeKey;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.reconcile.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides about volumes from the queue and runs the steps. Nodes compete for an exclusive volume,
 * so one decision covers all of them. Of a shared volume each node is decided separately, which
 * costs the same however many nodes there are.
 *
 * <p>Decisions about one volume never overlap, whatever their keys. The reconciler checks that no
 * other node has an exclusive volume and records that this node gets it in one atomic step, even
 * while a shared volume becomes exclusive. Thread-safe.
 */
public record VolumeReconciler(
    AttachQueues queues,
    AttachViews views,
    StepRunner stepRunner,
    VerificationScheduler verificationScheduler,
    DetachRules rules) {
  private static final Duration EVIDENCE_PERIOD = Duration.ofSeconds(2);

  public Outcome reconcile(VolumeKey key) {
    return views
        .state()
        .locks()
        .call(
            key.volume(),
            () -> key.isAllNodes() ? reconcileAllNodes(key.volume()) : reconcileNode(key));
  }

  private PodReporter reporter() {
    return stepRunner.attachJobs().reporter();
  }

  private Outcome reconcileAllNodes(VolumeId id) {
    AttachView view = views.createView(id);
    Set<String> nodes = view.nodes().stream().map(NodeView::node).collect(Collectors.toSet());
    stepRunner.operations().retain(id, nodes);
    if (!view.exclusive()) {
      reporter().forget(id);
      nodes.forEach(node -> queues.enqueueNode(new VolumeNode(id, node))); // it is shared now
      return Outcome.SETTLED;
    }
    List<AttachStep> attachSteps = runSteps(view);
    return createOutcome(attachSteps, reporter().reportWaiting(id, attachSteps));
  }

  private Outcome reconcileNode(VolumeKey key) {
    AttachView view = views.createView(key.volume(), key.node());
    if (view.exclusive()) {
      queues.enqueueAllNodes(key.volume()); // it is exclusive now
      return Outcome.SETTLED;
    }
    reporter().forget(key.volume());
    if (view.nodes().isEmpty()) {
      stepRunner.operations().forget(new VolumeNode(key.volume(), key.node()));
      return Outcome.SETTLED;
    }
    return createOutcome(runSteps(view), Optional.empty());
  }

  private List<AttachStep> runSteps(AttachView view) {
    List<AttachStep> attachSteps = AttachDecider.decide(view, rules);
    boolean isAwaited = attachSteps.stream().anyMatch(step -> step instanceof AttachStep.Blocked);
    attachSteps.forEach(step -> stepRunner.run(view, step, isAwaited, rules.byEvidence()));
    if (isAwaited) {
      verificationScheduler.resolveContest(view.id());
    }
    return attachSteps;
  }

  private Outcome createOutcome(List<AttachStep> attachSteps, Optional<Duration> reportDelay) {
    Optional<Duration> evidenceDelay =
        rules.byEvidence() && attachSteps.stream().anyMatch(StepRunner::isSuspect)
            ? Optional.of(EVIDENCE_PERIOD)
            : Optional.empty();
    return Stream.of(AttachDecider.recheckDelay(attachSteps), reportDelay, evidenceDelay)
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .<Outcome>map(Outcome.CheckAgain::new)
        .orElse(Outcome.SETTLED);
  }
}
