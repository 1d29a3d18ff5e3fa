package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.execute.AttachBackends;
import dev.mooring.attachdetach.execute.AttachDetachJobs;
import dev.mooring.attachdetach.execute.AttachDetachOperations;
import dev.mooring.attachdetach.execute.AttachStats;
import dev.mooring.attachdetach.execute.AttachTargets;
import dev.mooring.attachdetach.execute.DanglingSearch;
import dev.mooring.attachdetach.execute.DeadNodeTracker;
import dev.mooring.attachdetach.execute.DetachLimiter;
import dev.mooring.attachdetach.execute.LeaseFencing;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.execute.NodeStatusWriter;
import dev.mooring.attachdetach.execute.PodReporter;
import dev.mooring.attachdetach.execute.StepRunner;
import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.operation.JobResult;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.storage.LoadedPlugins;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

final class AttachDetachWork implements SlowWork {
  private static final Duration ATTACHER_PATIENCE = Duration.ofMinutes(2);

  // time before a plugin's silence about a node counts as "nothing attached"; equals the waiting
  // time for a node that is not ready
  private static final Duration SILENCE = Duration.ofMinutes(6);

  private static final int DETACHES_AT_ONCE = 8;

  // of these, detaches that no node waits for
  private static final int IDLE_DETACHES_AT_ONCE = 2;

  record WorkDependencies(SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins) {}

  /**
   * Callbacks and lookups.
   *
   * @param requeue requeues a volume on a node
   * @param report requeues the write of a node's status
   * @param foreign requeues the write of a node's status after another client's list has stood for
   *     a while
   * @param target resolves a PersistentVolume; null if it never can be attached
   * @param hasAnswered whether the volume's plugin has answered for all pods
   * @param namespace the namespace that a volume on a node serves
   */
  record WorkCallbacks(
      Consumer<VolumeNode> requeue,
      Consumer<String> report,
      Consumer<String> foreign,
      Function<Volume, @Nullable AttachTarget> target,
      Predicate<VolumeId> hasAnswered,
      Function<VolumeNode, Object> namespace) {}

  final AttachDetachOperations operations;
  final DeadNodeTracker deadNodes;
  final VolumeAttachments attachments;
  final NodeStatusWriter statuses;
  final PodReporter reporter;
  final AttachBackends backends;
  final DanglingSearch dangling;
  final NodeChecks checks;
  final SuspectNodes suspects = new SuspectNodes();
  final AttachStats stats = new AttachStats();
  final StepRunner steps;

  AttachDetachWork(
      AttachDetachConfig config,
      StateOfWorld state,
      WorkDependencies dependencies,
      WorkCallbacks callbacks) {
    ClusterPorts ports = dependencies.ports();
    SharedInformers informers = dependencies.informers();
    LoadedPlugins plugins = dependencies.plugins();
    this.operations =
        new AttachDetachOperations(
            ports.time(),
            new DetachLimiter(ports.time(), DETACHES_AT_ONCE, IDLE_DETACHES_AT_ONCE),
            callbacks.namespace(),
            callbacks.requeue());
    this.deadNodes =
        new DeadNodeTracker(
            new LeaseFencing(ports.reader(), suspects, ports.time()), plugins, suspects);
    this.attachments =
        new VolumeAttachments(
            informers.of(Kind.ATTACHMENT), ports, ATTACHER_PATIENCE, config.compat());
    this.statuses =
        new NodeStatusWriter(
            state.actual(), informers.of(Kind.NODE), ports, callbacks.foreign(), config.compat());
    this.reporter =
        new PodReporter(ports.events(), state.desired(), ports.time(), config.eventStyle());
    this.backends = new AttachBackends(attachments, plugins, callbacks.hasAnswered());
    this.dangling = dangling(config, state, dependencies, callbacks);
    this.checks = new NodeChecks(ports.reader(), deadNodes, ports.events(), config.eventStyle());
    this.steps =
        new StepRunner(
            state,
            operations,
            jobs(state, ports, callbacks),
            deadNodes,
            new AttachTargets(state.desired(), informers.of(Kind.VOLUME), callbacks.target()));
  }

  private DanglingSearch dangling(
      AttachDetachConfig config,
      StateOfWorld state,
      WorkDependencies dependencies,
      WorkCallbacks callbacks) {
    return new DanglingSearch(
        new DanglingSearch.SearchScope(
            config.compat().isKubernetes() ? id -> false : backends::attaches,
            dependencies.informers().of(Kind.NODE),
            dependencies.informers().of(Kind.VOLUME),
            callbacks.target()),
        new DanglingSearch.SearchTools(
            state.actual(),
            backends,
            dependencies.plugins()::generations,
            reporter,
            callbacks.requeue()),
        config.forceOnTimeout() ? Optional.of(SILENCE) : Optional.empty(),
        dependencies.ports().time());
  }

  private AttachDetachJobs jobs(StateOfWorld state, ClusterPorts ports, WorkCallbacks callbacks) {
    return new AttachDetachJobs(
        state,
        new AttachDetachJobs.JobTools(
            backends,
            dangling,
            statuses,
            checks,
            reporter,
            stats,
            callbacks.report(),
            // a detach that failed in preparation waits no longer than a status write
            (volume, node) ->
                ports
                    .time()
                    .schedule(
                        AttachDetachController.STATUS_CAP,
                        () -> operations.retryDetach(volume, node)),
            ports.time()));
  }

  // schedules a search for volumes that plugins attached without a record here
  void searchDangling() {
    operations.startCheck(
        "search for unrecorded attachments of plugins",
        () -> {
          dangling.searchAll();
          return JobResult.DONE;
        });
  }

  static boolean isSuspect(AttachStep step) {
    return StepRunner.isSuspect(step);
  }

  void retain(VolumeId volume, Set<String> nodes) {
    operations.retain(volume, nodes);
    suspects.retain(volume, nodes);
  }

  void forget(VolumeNode pair) {
    operations.forget(pair);
    suspects.forget(pair);
  }

  // operations that wait for an attacher do not count as work in progress
  @Override
  public boolean isQuiet() {
    return operations.running() <= attachments.waiters();
  }

  @Override
  public boolean close(Duration grace) throws InterruptedException {
    // do not wait for attachers: the next start finds the attachments
    boolean waiting = attachments.waiters() > 0;
    return operations.close(waiting ? Duration.ZERO : grace) || waiting;
  }
}
