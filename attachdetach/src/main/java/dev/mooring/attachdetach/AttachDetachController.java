package dev.mooring.attachdetach;

import com.google.inject.Inject;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.execute.AttachDetachOperations;
import dev.mooring.attachdetach.execute.AttachmentArbiter;
import dev.mooring.attachdetach.execute.AttachmentVerifier;
import dev.mooring.attachdetach.execute.LeftoverAttachments;
import dev.mooring.attachdetach.observe.AttachmentRecovery;
import dev.mooring.attachdetach.observe.DesiredStatePopulator;
import dev.mooring.attachdetach.observe.DesiredStatePopulator.Trigger;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.StatusWrites.FlushResult;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Index;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The attach/detach controller ({@code persistentvolume-attach-detach-controller}). */
public final class AttachDetachController {
  public static final String NAME = "persistentvolume-attach-detach-controller";

  public static final Index<Pod, String> PODS_BY_NODE = DesiredStatePopulator.PODS_BY_NODE;

  // Maximum time for the first pass over all pods. The controller detaches nothing before its end.
  private static final Duration POPULATED = Duration.ofMinutes(10);

  private static final int WORKERS = 8;

  // first and longest back-off of failing status writes; after an outage the writes wait at most
  // this long
  private static final Duration STATUS_FIRST = Duration.ofMillis(50);

  static final Duration STATUS_CAP = Duration.ofSeconds(5);

  // time after which the controller overwrites a list of another client
  private static final Duration FOREIGN_LIST_STANDS = Duration.ofSeconds(10);

  private final AttachDetachConfig config;
  private final LoadedPlugins plugins;
  private final SharedInformers informers;
  private final StateOfWorld state = new StateOfWorld();
  private final KeyNamespaces namespaces;
  private final VolumeResolver resolver;
  private final AttachDetachWork work;
  private final DesiredStatePopulator populator;
  private final AttachmentRecovery recovery;
  private final LeftoverAttachments leftovers;
  private final VolumeReconciler reconciler;
  private final VerificationScheduler verifier;
  private final AttachEventHandlers handlers;
  private final WorkQueue<Trigger> triggers;
  private final WorkQueue<VolumeReconciler.QueueKey> volumes;
  private final WorkQueue<String> reports;

  @Inject
  public AttachDetachController(
      AttachDetachConfig config,
      SharedInformers informers,
      ClusterPorts ports,
      LoadedPlugins plugins) {
    this.config = config;
    this.plugins = plugins;
    this.informers = informers;
    Time time = ports.time();
    this.namespaces = new KeyNamespaces(state, informers.of(Kind.VOLUME));
    this.triggers = WorkQueue.fair("pvcs", time, namespaces::ofTrigger);
    this.volumes = WorkQueue.fair("attach_detach", time, namespaces::ofVolume);
    this.reports = new WorkQueue<>("node_status", time, new Backoff<>(STATUS_FIRST, STATUS_CAP));
    this.resolver =
        new VolumeResolver(
            informers.of(Kind.CLAIM),
            informers.of(Kind.VOLUME),
            informers.of(Kind.CSI_DRIVER),
            plugins);
    this.work = work(ports);
    AttachViews views = views(time);
    this.populator = populator();
    this.recovery =
        new AttachmentRecovery(
            new AttachmentRecovery.RecoveryCaches(
                informers.of(Kind.NODE),
                informers.of(Kind.ATTACHMENT),
                informers.of(Kind.VOLUME),
                informers.of(Kind.POD, PODS_BY_NODE)),
            resolver,
            state.actual(),
            this::requeue);
    this.leftovers =
        new LeftoverAttachments(
            informers.of(Kind.ATTACHMENT),
            informers.of(Kind.VOLUME),
            ports.writer(),
            ports.reader(),
            work.reporter);
    this.reconciler = new VolumeReconciler(volumes, views, work, config, this::nodeWaits);
    this.verifier = verifier(views, ports);
    this.handlers = new AttachEventHandlers(informers, listeners(time));
  }

  private AttachDetachWork work(ClusterPorts ports) {
    return new AttachDetachWork(
        config,
        state,
        new AttachDetachWork.WorkDependencies(informers, ports, plugins),
        new AttachDetachWork.WorkCallbacks(
            this::requeue,
            this::reportSoon,
            this::reportInAWhile,
            resolver::target,
            this::hasPluginAnswered,
            namespaces::ofVolume));
  }

  private AttachViews views(Time time) {
    AttachDetachOperations operations = work.operations;
    return new AttachViews(
        state.desired(),
        state.actual(),
        informers.of(Kind.NODE),
        informers.of(Kind.POD),
        new AttachViews.OperationFacts(
            operations::running, operations::failures, work.suspects::isDead),
        time);
  }

  private DesiredStatePopulator populator() {
    return new DesiredStatePopulator(
        new DesiredStatePopulator.PopulatorCaches(
            informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM, PODS_BY_NODE),
            informers.of(Kind.VOLUME),
            informers.of(Kind.NODE)),
        resolver,
        state.desired(),
        state.actual(),
        new DesiredStatePopulator.RequeueCallbacks(
            this::requeue, reports::add, this::reportInAWhile));
  }

  private VerificationScheduler verifier(AttachViews views, ClusterPorts ports) {
    AttachmentVerifier verification =
        new AttachmentVerifier(
            state.actual(),
            new AttachmentVerifier.FactSources(
                informers.of(Kind.ATTACHMENT), ports.reader(), work.backends, ports.time()),
            new AttachmentVerifier.VolumeLookups(
                resolver::isAttachable, views::isInUse, views::isUnmanaged),
            new AttachmentVerifier.ResultActions(
                work.reporter, work.stats, this::requeueWithStatus));
    return new VerificationScheduler(
        verification,
        contests(views, ports),
        work.operations,
        new VerificationScheduler.VerificationHooks(this::askSilentPlugins, this::tidy));
  }

  private AttachmentArbiter contests(AttachViews views, ClusterPorts ports) {
    return new AttachmentArbiter(
        state,
        new AttachmentArbiter.FactSources(
            informers.of(Kind.ATTACHMENT),
            this::volumeOf,
            ports.reader(),
            work.attachments,
            views::isMounted),
        new AttachmentArbiter.ResultActions(
            work.reporter,
            (volume, node) -> work.operations.running(volume, node) == NodeView.Running.NOTHING,
            reconciler::runExclusively,
            this::requeueWithStatus));
  }

  private @Nullable VolumeId volumeOf(Attachment attachment) {
    AttachTarget target = recovery.targetOf(attachment);
    return target == null ? null : target.id();
  }

  private void nodeWaits(VolumeId volume) {
    verifier.resolveContest(volume);
  }

  private void requeueWithStatus(VolumeId volume, String node) {
    requeue(new VolumeNode(volume, node));
    reports.add(node);
  }

  private AttachEventHandlers.ChangeListeners listeners(Time time) {
    return new AttachEventHandlers.ChangeListeners(
        triggers::add,
        state.actual(),
        work.suspects,
        work.statuses,
        work.attachments,
        recovery,
        work.operations,
        new CsiDriverTracker(resolver, work.checks, work.operations, time, triggers::add)::changed,
        config.compat().isKubernetes() ? attachment -> {} : recovery::recoverIfOurs,
        config.compat().isKubernetes() ? (volume, node) -> {} : this::attachmentVanished);
  }

  private void attachmentVanished(VolumeId volume, String node) {
    boolean another =
        volume
            .csi()
            .flatMap(csi -> informers.of(Kind.ATTACHMENT).get(csi.attachment(node)))
            .isPresent();
    if (!another) {
      state.actual().attachmentGone(volume, node);
    }
    verifier.verify(volume, node);
  }

  private void requeue(VolumeNode where) {
    reconciler.requeue(where);
  }

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
            .loop(triggers, this::populate, 1) // one worker, the only writer of the desired state
            // the desired state is complete before the first volume is decided
            .firstPass(triggers, POPULATED)
            .loop(volumes, reconciler::reconcile, WORKERS)
            .loop(reports, this::report, WORKERS)
            .work(work);
    config.verifyEvery().ifPresent(period -> spec.every(period, verifier::verifyAll));
    return spec.build();
  }

  private void pluginsChanged() {
    triggers.add(new Trigger.OfPlugins());
  }

  private boolean hasPluginAnswered(VolumeId id) {
    boolean answered = populator.hasPluginAnswered(id);
    if (!answered) {
      pluginsChanged();
    }
    return answered;
  }

  private void askSilentPlugins() {
    if (!populator.haveAllPluginsAnswered()) {
      pluginsChanged();
    }
  }

  private void tidy() throws InterruptedException {
    if (!config.compat().isKubernetes()) {
      work.searchDangling();
      recovery.recoverOurs();
      leftovers.sweep();
    }
  }

  private Outcome populate(Trigger one) {
    populator.apply(one);
    return Outcome.SETTLED;
  }

  private void reportSoon(String node) {
    reports.addAfter(node, work.statuses.writeDelay(node));
  }

  private void reportInAWhile(String node) {
    reports.addAfter(node, FOREIGN_LIST_STANDS);
  }

  private Outcome report(String node) throws InterruptedException {
    return switch (work.statuses.flush(node)) {
      case FlushResult.Done _ -> Outcome.SETTLED;
      case FlushResult.Failed(String problem) -> new Outcome.Unanswered(problem);
    };
  }

  public AttachDetachMetrics metrics() {
    return new AttachDetachMetrics(
        state.desired(), state.actual(), work.stats, informers.of(Kind.POD), resolver);
  }
}
