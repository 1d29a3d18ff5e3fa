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

/** What acts, put together. */
final class Execution implements SlowWork {
  private static final Duration ATTACHER_PATIENCE = Duration.ofMinutes(2);

  /** As long as a volume in use is left to a node that is not ready. */
  private static final Duration SILENCE = Duration.ofMinutes(6);

  /** Detaches that ask the server at once; attaches are as many as there are. */
  private static final int DETACHES_AT_ONCE = 8;

  /** Of these, those that nobody waits for. */
  private static final int IDLE_DETACHES_AT_ONCE = 2;

  /**
   * What it sees and acts upon.
   *
   * @param informers what is known of the cluster
   * @param ports how the cluster is asked and written to
   * @param plugins the storage
   */
  record Outside(SharedInformers informers, ClusterPorts ports, Plugins plugins) {}

  /**
   * Whom it calls.
   *
   * @param wake has a volume on a node looked at
   * @param report has a node's status written
   * @param foreign has a node's status written when somebody else's list has stood for a while
   * @param target a volume as something to attach; null if it never is
   * @param heard whether the volume's plugin has said which pods' volumes are its
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
            // a detach that failed before it began waits no longer than a status to be written
            (volume, node) ->
                ports
                    .time()
                    .schedule(
                        AttachDetachController.STATUS_CAP,
                        () -> operations.retryDetach(volume, node)),
            ports.time()));
  }

  /** Looks for what plugins have attached without anybody knowing, soon: nobody waits for that. */
  void searchDangling() {
    operations.look(
        "what plugins have attached",
        () -> {
          dangling.searchAll();
          return Completion.DONE;
        });
  }

  static boolean isSuspect(AttachStep step) {
    return StepRunner.isSuspect(step);
  }

  /** The volume has to do with these nodes; what is kept of others is of no use any more. */
  void retain(VolumeId volume, Set<String> nodes) {
    operations.retain(volume, nodes);
    fencing.retain(volume, nodes);
  }

  /** The volume has nothing to do with the node any more. */
  void forget(VolumeNode pair) {
    operations.forget(pair);
    fencing.forget(pair);
  }

  /** What an attacher is waited for is not under way here. */
  @Override
  public boolean isQuiet() {
    return operations.running() <= attachments.waiters();
  }

  @Override
  public boolean close(Duration grace) throws InterruptedException {
    // an attacher's answer is not waited for: the next start finds the attachment
    boolean waiting = attachments.waiters() > 0;
    return operations.close(waiting ? Duration.ZERO : grace) || waiting;
  }
}
