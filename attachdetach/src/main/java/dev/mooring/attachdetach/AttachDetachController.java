package dev.mooring.attachdetach;

import com.google.inject.Inject;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.execute.Contests;
import dev.mooring.attachdetach.execute.LeftoverAttachments;
import dev.mooring.attachdetach.execute.NodeStatuses;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.State;
import dev.mooring.attachdetach.execute.Verification;
import dev.mooring.attachdetach.observe.AttachViews;
import dev.mooring.attachdetach.observe.Populator;
import dev.mooring.attachdetach.observe.Populator.Trigger;
import dev.mooring.attachdetach.observe.Recovery;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Index;
import dev.mooring.informer.Indexes;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.Plugins;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The attach/detach controller ({@code persistentvolume-attach-detach-controller}). */
public final class AttachDetachController {
  /** Name in {@code --controllers}. */
  public static final String NAME = "persistentvolume-attach-detach-controller";

  /** Index of pods by node. */
  public static final Index<Pod, String> PODS_BY_NODE = Populator.PODS_BY_NODE;

  /**
   * Maximum time for the first pass over all pods. The controller detaches nothing before its end.
   */
  private static final Duration POPULATED = Duration.ofMinutes(10);

  private static final int WORKERS = 8;

  /**
   * First and longest back-off of failing status writes; after an outage the writes wait at most
   * this long.
   */
  private static final Duration STATUS_FIRST = Duration.ofMillis(50);

  static final Duration STATUS_CAP = Duration.ofSeconds(5);

  /** Time after which the controller overwrites a list of another client. */
  private static final Duration FOREIGN_LIST_STANDS = Duration.ofSeconds(10);

  private final AttachDetachConfig config;
  private final Plugins plugins;
  private final SharedInformers informers;
  private final Worlds worlds = Worlds.empty();
  private final State state = worlds.state();
  private final KeyNamespaces namespaces;
  private final Resolver resolver;
  private final Execution execution;
  private final Populator populator;
  private final Recovery recovery;
  private final LeftoverAttachments leftovers;
  private final VolumeReconciler reconciler;
  private final Verifier verifier;
  private final AttachEventHandlers handlers;
  private final WorkQueue<Trigger> triggers;
  private final WorkQueue<VolumeReconciler.Key> volumes;
  private final WorkQueue<String> reports;

  @Inject
  public AttachDetachController(
      AttachDetachConfig config, SharedInformers informers, ClusterPorts ports, Plugins plugins) {
    this.config = config;
    this.plugins = plugins;
    this.informers = informers;
    Time time = ports.time();
    this.namespaces = new KeyNamespaces(worlds, informers.of(Kind.VOLUME));
    this.triggers = WorkQueue.fair("pvcs", time, namespaces::ofTrigger);
    this.volumes = WorkQueue.fair("attach_detach", time, namespaces::ofVolume);
    this.reports = new WorkQueue<>("node_status", time, new Backoff<>(STATUS_FIRST, STATUS_CAP));
    this.resolver =
        new Resolver(
            informers.of(Kind.CLAIM),
            informers.of(Kind.VOLUME),
            informers.of(Kind.CSI_DRIVER),
            plugins);
    this.execution = execution(ports);
    AttachViews views = views(time);
    this.populator = populator();
    this.recovery =
        new Recovery(
            new Recovery.Sources(
                informers.of(Kind.NODE),
                informers.of(Kind.ATTACHMENT),
                informers.of(Kind.VOLUME),
                informers.of(Kind.POD, PODS_BY_NODE)),
            resolver,
            worlds.actual(),
            this::wake);
    this.leftovers =
        new LeftoverAttachments(
            informers.of(Kind.ATTACHMENT),
            informers.of(Kind.VOLUME),
            ports.writer(),
            ports.reader(),
            execution.reporter);
    this.reconciler = new VolumeReconciler(volumes, views, execution, config, this::waits);
    this.verifier = verifier(views, ports);
    this.handlers = new AttachEventHandlers(informers, listeners(time));
  }

  private Execution execution(ClusterPorts ports) {
    return new Execution(
        config,
        state,
        new Execution.Outside(informers, ports, plugins),
        new Execution.Hooks(
            this::wake,
            this::reportSoon,
            this::reportInAWhile,
            resolver::target,
            this::hasHeardOf,
            namespaces::ofVolume));
  }

  private AttachViews views(Time time) {
    Operations operations = execution.operations;
    return new AttachViews(
        worlds.desired(),
        worlds.actual(),
        informers.of(Kind.NODE),
        informers.of(Kind.POD),
        new AttachViews.Knowledge(
            operations::running, operations::failures, execution.fencing::isDead),
        time);
  }

  private Populator populator() {
    return new Populator(
        new Populator.Sources(
            informers.of(Kind.POD, Indexes.PODS_BY_CLAIM, PODS_BY_NODE),
            informers.of(Kind.VOLUME),
            informers.of(Kind.NODE)),
        resolver,
        worlds.desired(),
        worlds.actual(),
        new Populator.Wake(this::wake, reports::add, this::reportInAWhile));
  }

  private Verifier verifier(AttachViews views, ClusterPorts ports) {
    Verification verification =
        new Verification(
            state.actual(),
            new Verification.Witnesses(
                informers.of(Kind.ATTACHMENT), ports.reader(), execution.backends, ports.time()),
            new Verification.Questions(resolver::isAttachable, views::isInUse, views::isUnmanaged),
            new Verification.Findings(execution.reporter, execution.stats, this::lookThere));
    return new Verifier(
        verification,
        contests(views, ports),
        execution.operations,
        new Verifier.Around(this::hearAll, this::tidy));
  }

  private Contests contests(AttachViews views, ClusterPorts ports) {
    return new Contests(
        state,
        new Contests.Witnesses(
            informers.of(Kind.ATTACHMENT),
            this::volumeOf,
            ports.reader(),
            execution.attachments,
            views::isMounted),
        new Contests.Findings(
            execution.reporter,
            (volume, node) ->
                execution.operations.running(volume, node) == NodeView.Running.NOTHING,
            reconciler::whileNobodyLooks,
            this::lookThere));
  }

  private @Nullable VolumeId volumeOf(Attachment attachment) {
    AttachTarget target = recovery.targetOf(attachment);
    return target == null ? null : target.id();
  }

  private void waits(VolumeId volume) {
    verifier.endContest(volume);
  }

  private void lookThere(VolumeId volume, String node) {
    wake(new VolumeNode(volume, node));
    reports.add(node);
  }

  private AttachEventHandlers.Listeners listeners(Time time) {
    return new AttachEventHandlers.Listeners(
        triggers::add,
        worlds.actual()::update,
        execution.fencing,
        execution.statuses,
        execution.attachments,
        recovery,
        execution.operations,
        new Drivers(resolver, execution.checks, execution.operations, time, triggers::add)::changed,
        config.compat().isKubernetes() ? attachment -> {} : recovery::recoverIfOurs,
        config.compat().isKubernetes() ? (volume, node) -> {} : verifier::verify);
  }

  private void wake(VolumeNode where) {
    reconciler.wake(where);
  }

  /** Declares caches, event handlers and queues. The runtime starts them. */
  public ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.named(NAME)
            .reads(
                informers.of(Kind.NODE),
                informers.of(Kind.CSI_DRIVER),
                informers.of(Kind.VOLUME),
                informers.of(Kind.CLAIM),
                informers.of(Kind.ATTACHMENT),
                informers.of(Kind.POD))
            .once(populator::begin)
            .once(recovery::recover)
            .once(handlers::begin)
            .once(() -> plugins.onChange(changed -> pluginsChanged()))
            .loop(triggers, this::take, 1) // one worker, the only writer of the desired state
            // the desired state is complete before the first volume is decided
            .firstPass(triggers, POPULATED)
            .loop(volumes, reconciler::look, WORKERS)
            .loop(reports, this::report, WORKERS)
            .work(execution);
    config.verifyEvery().ifPresent(period -> spec.every(period, verifier::verifyAll));
    return spec.build();
  }

  private void pluginsChanged() {
    triggers.add(new Trigger.OfPlugins());
  }

  private boolean hasHeardOf(VolumeId id) {
    boolean heard = populator.hasHeardOf(id);
    if (!heard) {
      pluginsChanged();
    }
    return heard;
  }

  private void hearAll() {
    if (!populator.hasHeardAll()) {
      pluginsChanged();
    }
  }

  private void tidy() throws InterruptedException {
    if (!config.compat().isKubernetes()) {
      execution.searchDangling();
      recovery.recoverOurs();
      leftovers.sweep();
    }
  }

  private Outcome take(Trigger one) {
    populator.take(one);
    return Outcome.SETTLED;
  }

  private void reportSoon(String node) {
    reports.addAfter(node, execution.statuses.pause(node));
  }

  private void reportInAWhile(String node) {
    reports.addAfter(node, FOREIGN_LIST_STANDS);
  }

  private Outcome report(String node) throws InterruptedException {
    return switch (execution.statuses.flush(node)) {
      case NodeStatuses.Flushed.Done _ -> Outcome.SETTLED;
      case NodeStatuses.Flushed.Failed(String problem) -> new Outcome.Unanswered(problem);
    };
  }

  public AttachDetachMetrics metrics() {
    return new AttachDetachMetrics(
        worlds.desired(), worlds.actual(), execution.stats, informers.of(Kind.POD), resolver);
  }
}
