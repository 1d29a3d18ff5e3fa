package dev.mooring.attachdetach;

import com.google.inject.Inject;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.execute.AttachBackends;
import dev.mooring.attachdetach.execute.AttachDetachOperations;
import dev.mooring.attachdetach.execute.AttachDetachWork;
import dev.mooring.attachdetach.execute.AttachJobs;
import dev.mooring.attachdetach.execute.AttachStats;
import dev.mooring.attachdetach.execute.AttachmentArbiter;
import dev.mooring.attachdetach.execute.AttachmentChanges;
import dev.mooring.attachdetach.execute.AttachmentVerifier;
import dev.mooring.attachdetach.execute.ContestQuestions;
import dev.mooring.attachdetach.execute.CsiDriverTracker;
import dev.mooring.attachdetach.execute.DanglingSearch;
import dev.mooring.attachdetach.execute.DeadNodeTracker;
import dev.mooring.attachdetach.execute.DetachJobs;
import dev.mooring.attachdetach.execute.DetachLimiter;
import dev.mooring.attachdetach.execute.ForeignAttachments;
import dev.mooring.attachdetach.execute.LeaseFencing;
import dev.mooring.attachdetach.execute.LeftoverAttachments;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.execute.NodeStatusWriter;
import dev.mooring.attachdetach.execute.PluginInventory;
import dev.mooring.attachdetach.execute.PodReporter;
import dev.mooring.attachdetach.execute.StepRunner;
import dev.mooring.attachdetach.execute.VerificationScheduler;
import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.attachdetach.execute.VolumeReconciler;
import dev.mooring.attachdetach.observe.AttachEventHandlers;
import dev.mooring.attachdetach.observe.AttachmentRecovery;
import dev.mooring.attachdetach.observe.DesiredStatePopulator;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachQueues;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.StatusWrites.FlushResult;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Index;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Pod;
import dev.mooring.operation.JobResult;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Optional;

/** The attach/detach controller ({@code persistentvolume-attach-detach-controller}). */
public final class AttachDetachController {
  public static final String NAME = "persistentvolume-attach-detach-controller";

  public static final Index<Pod, String> PODS_BY_NODE = AttachCaches.PODS_BY_NODE;

  // Maximum time for the first pass over all pods. The controller detaches nothing before its end.
  private static final Duration FIRST_PASS_TIMEOUT = Duration.ofMinutes(10);

  private static final Duration ATTACHER_TIMEOUT = Duration.ofMinutes(2);

  private static final int WORKERS = 8;
  private static final int MAX_DETACHES = 8;

  // maximum number of detaches that no node waits for
  private static final int MAX_IDLE_DETACHES = 2;

  private final AttachDetachConfig config;
  private final Compat compat;
  private final ClusterPorts ports;
  private final LoadedPlugins plugins;
  private final Time time;
  private final AttachCaches caches;
  private final StateOfWorld state = new StateOfWorld();
  private final AttachStats stats = new AttachStats();
  private final AttachQueues queues;
  private final VolumeResolver resolver;
  private final PluginAnswers pluginAnswers;
  private final PodReporter reporter;
  private final DesiredStatePopulator populator;
  private final AttachmentRecovery recovery;
  private final VolumeAttachments attachments;
  private final AttachBackends backends;
  private final NodeStatusWriter statusWriter;
  private final DanglingSearch danglingSearch;
  private final AttachDetachOperations operations;
  private final AttachViews views;
  private final VerificationScheduler verificationScheduler;
  private final VolumeReconciler reconciler;

  @Inject
  public AttachDetachController(
      AttachDetachConfig config,
      SharedInformers informers,
      ClusterPorts ports,
      LoadedPlugins plugins) {
    this.config = config;
    this.compat = config.compat();
    this.ports = ports;
    this.plugins = plugins;
    this.time = ports.time();
    this.caches = AttachCaches.of(informers);
    this.queues = new AttachQueues(state, caches, time);
    this.resolver = new VolumeResolver(caches, plugins);
    this.pluginAnswers = new PluginAnswers(resolver, queues);
    this.reporter =
        new PodReporter(ports.events(), state.desired(), stats, time, config.eventStyle());
    this.populator = new DesiredStatePopulator(caches, resolver, state, pluginAnswers, queues);
    this.recovery = new AttachmentRecovery(caches, resolver, state.actual(), queues);
    this.attachments = new VolumeAttachments(caches.attachments(), ports, ATTACHER_TIMEOUT, compat);
    this.backends = new AttachBackends(attachments, plugins, pluginAnswers);
    this.statusWriter = new NodeStatusWriter(state, caches.nodes(), ports, queues, compat);
    this.danglingSearch = createDanglingSearch();
    this.operations =
        new AttachDetachOperations(
            time,
            new DetachLimiter(time, MAX_DETACHES, MAX_IDLE_DETACHES),
            queues::findNamespace,
            state,
            queues);
    this.views = new AttachViews(caches, state, operations, time);
    this.verificationScheduler = createVerificationScheduler();
    this.reconciler =
        new VolumeReconciler(
            queues, views, createStepRunner(), verificationScheduler, config.detachRules());
  }

  private DanglingSearch createDanglingSearch() {
    // time before a plugin's silence about a node counts as "nothing attached"; equals the waiting
    // time for a node that is not ready
    Optional<Duration> silenceTimeout =
        config.forceOnTimeout() ? Optional.of(DetachRules.FORCE_DETACH_WAIT) : Optional.empty();
    PluginInventory inventory =
        new PluginInventory(state.actual(), resolver, backends, reporter, queues);
    return new DanglingSearch(inventory, caches.nodes(), silenceTimeout, compat, time);
  }

  private VerificationScheduler createVerificationScheduler() {
    AttachmentVerifier verifier =
        new AttachmentVerifier(views, resolver, ports.reader(), backends, reporter, queues);
    ContestQuestions questions = new ContestQuestions(views, resolver, ports.reader());
    AttachmentArbiter arbiter =
        new AttachmentArbiter(questions, state, attachments, reporter, queues);
    return new VerificationScheduler(verifier, arbiter, operations);
  }

  private StepRunner createStepRunner() {
    LeaseFencing leases = new LeaseFencing(ports.reader(), state.suspects(), time);
    DeadNodeTracker deadNodes = new DeadNodeTracker(leases, plugins, state.suspects());
    NodeChecks checks =
        new NodeChecks(ports.reader(), deadNodes, ports.events(), config.eventStyle());
    return new StepRunner(
        state,
        operations,
        new AttachJobs(
            state,
            resolver,
            backends,
            danglingSearch,
            new ForeignAttachments(caches.attachments(), resolver, compat),
            reporter,
            queues),
        new DetachJobs(state, backends, statusWriter, checks, reporter),
        deadNodes);
  }

  public ControllerSpec spec() {
    CsiDriverTracker drivers =
        new CsiDriverTracker(resolver, ports.reader(), operations, queues, time);
    AttachmentChanges changes =
        new AttachmentChanges(attachments, resolver, operations, verificationScheduler, compat);
    ControllerSpec.Builder spec =
        ControllerSpec.builder(NAME)
            .reads(
                caches.nodes(),
                caches.drivers(),
                caches.volumes(),
                caches.claims(),
                caches.attachments(),
                caches.pods())
            .once(populator::recordFirstGenerations)
            .once(recovery::recover)
            .addChangeHandler(caches.drivers(), drivers::driverChanged)
            .addChangeHandler(caches.attachments(), changes::attachmentChanged);
    if (!compat.isKubernetes()) {
      spec.addChangeHandler(caches.attachments(), recovery::attachmentChanged);
    }
    spec.once(new AttachEventHandlers(caches, resolver, state, queues)::register)
        .once(
            () -> plugins.onChange(changed -> queues.addTrigger(new PopulatorTrigger.OfPlugins())))
        // one worker, the only writer of the desired state
        .loop(queues.triggers(), this::populate, 1)
        // the desired state is complete before the first volume is decided
        .firstPass(queues.triggers(), FIRST_PASS_TIMEOUT)
        .loop(queues.volumes(), reconciler::reconcile, WORKERS)
        .loop(queues.statuses(), this::writeStatus, WORKERS)
        .work(new AttachDetachWork(operations, attachments));
    config.verificationPeriod().ifPresent(period -> spec.repeat(period, this::startVerification));
    return spec.build();
  }

  private Outcome populate(PopulatorTrigger trigger) {
    populator.apply(trigger);
    return Outcome.SETTLED;
  }

  private Outcome writeStatus(String node) throws InterruptedException {
    return switch (statusWriter.flush(node)) {
      case FlushResult.Done _ -> Outcome.SETTLED;
      case FlushResult.Failed(String problem) -> new Outcome.Unanswered(problem);
    };
  }

  private void startVerification() {
    operations.startCheck("everything", this::verifyEverything);
  }

  private JobResult verifyEverything() throws InterruptedException {
    pluginAnswers.requeueSilentPlugins();
    verificationScheduler.verifyAll();
    if (!compat.isKubernetes()) {
      startPluginSearch();
      recovery.recoverOwnAttachments();
      new LeftoverAttachments(caches, ports.writer(), ports.reader(), reporter).deleteLeftovers();
    }
    return JobResult.DONE;
  }

  // schedules a search for volumes that plugins attached without a record here
  private void startPluginSearch() {
    operations.startCheck(
        "search for unrecorded attachments of plugins",
        () -> {
          danglingSearch.searchAll();
          return JobResult.DONE;
        });
  }

  public AttachDetachMetrics metrics() {
    return new AttachDetachMetrics(state, stats, caches.pods(), resolver);
  }
}
