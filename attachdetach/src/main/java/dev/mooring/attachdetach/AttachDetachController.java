package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.execute.NodeStatuses;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.Verification;
import dev.mooring.attachdetach.observe.ActualStateOfWorld;
import dev.mooring.attachdetach.observe.AttachViews;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;
import dev.mooring.attachdetach.observe.Populator;
import dev.mooring.attachdetach.observe.Populator.Trigger;
import dev.mooring.attachdetach.observe.Recovery;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.operation.Plugins;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Worker;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** The attach/detach controller ({@code persistentvolume-attach-detach-controller}). */
public final class AttachDetachController implements Controller {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "persistentvolume-attach-detach-controller";

  /** Pods by the node that they run on; the informer of pods must have it. */
  public static final Index<Pod, String> PODS_BY_NODE = Populator.PODS_BY_NODE;

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final int WORKERS = 8;

  /** Between writes of a node's status that fail: when the server is back, this is waited for. */
  private static final Duration STATUS_FIRST = Duration.ofMillis(50);

  static final Duration STATUS_CAP = Duration.ofSeconds(5);

  /** How long what somebody else wrote into a node's status stands. */
  private static final Duration FOREIGN_LIST_STANDS = Duration.ofSeconds(10);

  /**
   * What it sees of the cluster.
   *
   * @param pods all pods, with {@link #PODS_BY_NODE} and the index by claim
   * @param podsByClaim that index
   * @param claims all claims
   * @param volumes all volumes
   * @param nodes all nodes
   * @param attachments all VolumeAttachments
   * @param drivers all CSIDrivers
   */
  public record Informers(
      Informer<Pod> pods,
      Index<Pod, ObjectKey> podsByClaim,
      Informer<Claim> claims,
      Informer<Volume> volumes,
      Informer<Node> nodes,
      Informer<Attachment> attachments,
      Informer<CsiDriver> drivers) {}

  /**
   * What it acts through.
   *
   * @param writer writes
   * @param reader live reads
   * @param events events
   * @param plugins plugins that attach
   * @param time clock and timers
   */
  public record Ports(
      ClusterWriter writer, LiveReader reader, EventSink events, Plugins plugins, Time time) {}

  private final AttachDetachConfig config;
  private final Informers informers;
  private final DesiredStateOfWorld desired = new DesiredStateOfWorld();
  private final ActualStateOfWorld actual = new ActualStateOfWorld();
  private final Resolver resolver;
  private final Execution execution;
  private final Populator populator;
  private final Recovery recovery;
  private final VolumeReconciler reconciler;
  private final Verifier verifier;
  private final AttachEventHandlers watch;
  private final WorkQueue<Trigger> triggers;
  private final WorkQueue<VolumeReconciler.Key> volumes;
  private final WorkQueue<String> reports;
  private final Worker<Trigger> triggerWorker;
  private final List<Worker<?>> workers;
  private volatile boolean stopped;

  /** A controller that does nothing yet. */
  public AttachDetachController(AttachDetachConfig config, Informers informers, Ports ports) {
    this(config, informers, ports, Thread.ofVirtual().factory());
  }

  /**
   * The same.
   *
   * @param threads makes the threads of attaches, detaches and looks
   */
  public AttachDetachController(
      AttachDetachConfig config, Informers informers, Ports ports, ThreadFactory threads) {
    this.config = config;
    this.informers = informers;
    Time time = ports.time();
    this.triggers = new WorkQueue<>("pvcs", time);
    this.volumes = new WorkQueue<>("attach_detach", time);
    this.reports = new WorkQueue<>("node_status", time, new Backoff<>(STATUS_FIRST, STATUS_CAP));
    this.resolver =
        new Resolver(informers.claims(), informers.volumes(), informers.drivers(), ports.plugins());
    this.execution =
        new Execution(
            config,
            new Execution.Worlds(desired, actual),
            informers,
            ports,
            new Execution.Hooks(this::wake, reports::add, this::hasHeardOf, threads));
    AttachViews views = views(time);
    this.populator = populator();
    this.recovery =
        new Recovery(
            new Recovery.Sources(informers.nodes(), informers.attachments(), informers.volumes()),
            resolver,
            actual,
            this::wake);
    this.reconciler = new VolumeReconciler(volumes, views, execution, config);
    this.verifier = verifier(views, ports);
    this.watch = new AttachEventHandlers(informers, listeners(time));
    this.triggerWorker = new Worker<>("attachdetach-news", triggers, this::take, 1);
    this.workers =
        List.of(
            new Worker<>("attachdetach", volumes, reconciler::look, WORKERS),
            new Worker<>("attachdetach-report", reports, this::report, WORKERS));
  }

  private AttachViews views(Time time) {
    Operations operations = execution.operations();
    return new AttachViews(
        desired,
        actual,
        informers.nodes(),
        new AttachViews.Knowledge(
            operations::running, operations::failures, execution.fencing()::isDead),
        time);
  }

  private Populator populator() {
    return new Populator(
        new Populator.Sources(
            informers.pods(), informers.podsByClaim(), informers.volumes(), informers.nodes()),
        resolver,
        desired,
        actual,
        new Populator.Wake(
            this::wake, reports::add, node -> reports.addAfter(node, FOREIGN_LIST_STANDS)));
  }

  private Verifier verifier(AttachViews views, Ports ports) {
    Verification verification =
        new Verification(
            actual,
            new Verification.Witnesses(
                informers.attachments(), ports.reader(), execution.backends(), ports.time()),
            new Verification.Questions(resolver::isAttachable, views::isInUse),
            execution.reporter(),
            execution.stats(),
            (volume, node) -> {
              wake(new VolumeNode(volume, node));
              reports.add(node);
            });
    return new Verifier(
        verification,
        execution.operations(),
        new Verifier.Around(this::hearAll, this::adopt),
        ports.time(),
        () -> stopped);
  }

  private AttachEventHandlers.Listeners listeners(Time time) {
    return new AttachEventHandlers.Listeners(
        triggers::add,
        actual,
        execution.fencing(),
        execution.attachments(),
        recovery,
        execution.operations(),
        new Drivers(
                resolver,
                execution.checks(),
                execution.operations(),
                time,
                triggers::add,
                () -> stopped)
            ::changed,
        config.likeKubernetes() ? (volume, node) -> {} : verifier::verify);
  }

  private void wake(VolumeNode where) {
    reconciler.wake(where);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start() throws InterruptedException {
    for (Informer<?> informer :
        List.of(
            informers.nodes(),
            informers.drivers(),
            informers.volumes(),
            informers.claims(),
            informers.attachments(),
            informers.pods())) {
      informer.awaitSynced();
    }
    begin();
    triggerWorker.start();
    workers.forEach(Worker::start);
    verifier.every(config.verifyEvery());
  }

  private void begin() throws InterruptedException {
    populator.begin();
    recovery.recover();
    watch.begin();
    while (triggerWorker.step()) {
      // what pods want is known before the first volume is looked at: nothing is detached meanwhile
    }
  }

  /** The controller in single steps, on the caller's threads, instead of {@link #start}. */
  public Steps steps() {
    return new Steps();
  }

  /** What {@link #start} does by itself, one step at a time. */
  public final class Steps {
    private Steps() {}

    /** Recovers what is attached, and begins to watch. The caches must be complete. */
    public void begin() throws InterruptedException {
      AttachDetachController.this.begin();
      verifier.every(config.verifyEvery());
    }

    /** Takes one change in; false if there is none. */
    public boolean triggers() throws InterruptedException {
      return triggerWorker.step();
    }

    /** Looks at one volume; false if none is due. */
    public boolean volume() throws InterruptedException {
      return workers.getFirst().step();
    }

    /** Writes one node's status; false if none is due. */
    public boolean status() throws InterruptedException {
      return workers.getLast().step();
    }
  }

  /** Plugins have come, were replaced or have gone. Any thread, at any time. */
  public void pluginsChanged() {
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

  private void adopt() {
    if (!config.likeKubernetes()) {
      recovery.adoptWhatIsOurs();
    }
  }

  private Outcome take(Trigger one) {
    populator.take(one);
    return Outcome.SETTLED;
  }

  private Outcome report(String node) throws InterruptedException {
    return switch (execution.statuses().flush(node)) {
      case NodeStatuses.Flushed.Done _ -> Outcome.SETTLED;
      case NodeStatuses.Flushed.Failed(String problem) ->
          new Outcome.Retry(new Failure.Unreachable(problem));
    };
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    stopped = true;
    boolean clean = triggerWorker.stop(grace);
    for (Worker<?> worker : workers) {
      clean &= worker.stop(grace);
    }
    // an attacher's answer is not waited for: the next start finds the attachment
    boolean waiting = execution.attachments().waiters() > 0;
    clean &= execution.operations().close(waiting ? Duration.ZERO : grace) || waiting;
    return clean;
  }

  @Override
  public boolean isIdle() {
    return triggers.isIdle(SOON)
        && volumes.isIdle(SOON)
        && reports.isIdle(SOON)
        && execution.operations().running() <= execution.attachments().waiters();
  }

  @Override
  public List<QueueStats> queueStats() {
    return List.of(triggers.stats(), volumes.stats(), reports.stats());
  }

  /** What is counted for metrics. */
  public AttachDetachMetrics metrics() {
    return new AttachDetachMetrics(desired, actual, execution.stats(), informers.pods(), resolver);
  }
}
