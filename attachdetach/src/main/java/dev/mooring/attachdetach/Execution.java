package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.execute.AttachStats;
import dev.mooring.attachdetach.execute.AttachTargets;
import dev.mooring.attachdetach.execute.Backends;
import dev.mooring.attachdetach.execute.DanglingSearch;
import dev.mooring.attachdetach.execute.DetachLimiter;
import dev.mooring.attachdetach.execute.Fencing;
import dev.mooring.attachdetach.execute.Jobs;
import dev.mooring.attachdetach.execute.LeaseFencing;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.execute.NodeStatuses;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.PodReporter;
import dev.mooring.attachdetach.execute.State;
import dev.mooring.attachdetach.execute.StepRunner;
import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.operation.Completion;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.storage.Plugins;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Assembles the parts that act on the cluster. */
final class Execution implements SlowWork {
  private static final Duration ATTACHER_PATIENCE = Duration.ofMinutes(2);

  /**
   * Time before a plugin's silence about a node counts as "nothing attached"; equals the waiting
   * time for a node that is not ready.
   */
  private static final Duration SILENCE = Duration.ofMinutes(6);

  /** Detaches that send requests at once; attaches have no limit. */
  private static final int DETACHES_AT_ONCE = 8;

  /** Of these, detaches that no node waits for. */
  private static final int IDLE_DETACHES_AT_ONCE = 2;

  /** External dependencies. */
  record Outside(SharedInformers informers, ClusterPorts ports, Plugins plugins) {}

  /**
   * Callbacks and lookups.
   *
   * @param wake requeues a volume on a node
   * @param report requeues the write of a node's status
   * @param foreign requeues the write of a node's status after another client's list has stood for
   *     a while
   * @param target resolves a PersistentVolume; null if it never can be attached
   * @param heard whether the volume's plugin has answered for all pods
   * @param namespace the namespace that a volume on a node serves
   */
  record Hooks(
      Consumer<VolumeNode> wake,
      Consumer<String> report,
      Consumer<String> foreign,
      Function<Volume, @Nullable AttachTarget> target,
      Predicate<VolumeId> heard,
      Function<VolumeNode, Object> namespace) {}

  final Operations operations;
  final Fencing fencing;
  final VolumeAttachments attachments;
  final NodeStatuses statuses;
  final PodReporter reporter;
  final Backends backends;
  final DanglingSearch dangling;
  final NodeChecks checks;
  final AttachStats stats = new AttachStats();
  final StepRunner steps;

  Execution(AttachDetachConfig config, State state, Outside outside, Hooks hooks) {
    ClusterPorts ports = outside.ports();
    SharedInformers informers = outside.informers();
    Plugins plugins = outside.plugins();
    this.operations =
        new Operations(
            ports.time(),
            new DetachLimiter(ports.time(), DETACHES_AT_ONCE, IDLE_DETACHES_AT_ONCE),
            hooks.namespace(),
            hooks.wake());
    this.fencing = new Fencing(new LeaseFencing(ports.reader(), ports.time()), plugins);
    this.attachments =
        new VolumeAttachments(
            informers.of(Kind.ATTACHMENT), ports, ATTACHER_PATIENCE, config.compat());
    this.statuses =
        new NodeStatuses(
            state.actual(), informers.of(Kind.NODE), ports, hooks.foreign(), config.compat());
    this.reporter =
        new PodReporter(ports.events(), state.desired(), ports.time(), config.eventStyle());
    this.backends = new Backends(attachments, plugins, hooks.heard());
    this.dangling = dangling(config, state, outside, hooks);
    this.checks = new NodeChecks(ports.reader(), fencing, ports.events(), config.eventStyle());
    this.steps =
        new StepRunner(
            state,
            operations,
            jobs(state, ports, hooks),
            fencing,
            new AttachTargets(state.desired(), informers.of(Kind.VOLUME), hooks.target()));
  }

  private DanglingSearch dangling(
      AttachDetachConfig config, State state, Outside outside, Hooks hooks) {
    return new DanglingSearch(
        new DanglingSearch.Sources(
            config.compat().isKubernetes() ? id -> false : backends::attaches,
            outside.informers().of(Kind.NODE),
            outside.informers().of(Kind.VOLUME),
            hooks.target()),
        new DanglingSearch.Tools(
            state.actual(), backends, outside.plugins()::generations, reporter, hooks.wake()),
        config.forceOnTimeout() ? Optional.of(SILENCE) : Optional.empty(),
        outside.ports().time());
  }

  private Jobs jobs(State state, ClusterPorts ports, Hooks hooks) {
    return new Jobs(
        state,
        new Jobs.Tools(
            backends,
            dangling,
            statuses,
            checks,
            reporter,
            stats,
            hooks.report(),
            // a detach that failed in preparation waits no longer than a status write
            (volume, node) ->
                ports
                    .time()
                    .schedule(
                        AttachDetachController.STATUS_CAP,
                        () -> operations.retryDetach(volume, node)),
            ports.time()));
  }

  /** Schedules a search for volumes that plugins attached without a record here. */
  void searchDangling() {
    operations.look(
        "search for unrecorded attachments of plugins",
        () -> {
          dangling.searchAll();
          return Completion.DONE;
        });
  }

  static boolean isSuspect(AttachStep step) {
    return StepRunner.isSuspect(step);
  }

  /** Drops what is kept about the volume on other nodes. */
  void retain(VolumeId volume, Set<String> nodes) {
    operations.retain(volume, nodes);
    fencing.retain(volume, nodes);
  }

  void forget(VolumeNode pair) {
    operations.forget(pair);
    fencing.forget(pair);
  }

  /** Operations that wait for an attacher do not count as work in progress. */
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
