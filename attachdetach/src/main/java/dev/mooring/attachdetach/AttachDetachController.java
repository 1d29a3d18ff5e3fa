package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.Rules;
import dev.mooring.attachdetach.decide.Step;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeView;
import dev.mooring.attachdetach.execute.Backends;
import dev.mooring.attachdetach.execute.Fencing;
import dev.mooring.attachdetach.execute.Figures;
import dev.mooring.attachdetach.execute.Jobs;
import dev.mooring.attachdetach.execute.Lane;
import dev.mooring.attachdetach.execute.LeaseFencing;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.execute.NodeStatuses;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.PodNarrator;
import dev.mooring.attachdetach.execute.StepRunner;
import dev.mooring.attachdetach.execute.Verification;
import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.attachdetach.observe.Adoption;
import dev.mooring.attachdetach.observe.Intake;
import dev.mooring.attachdetach.observe.Intake.News;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.attachdetach.observe.Views;
import dev.mooring.attachdetach.world.ActualWorld;
import dev.mooring.attachdetach.world.DesiredWorld;
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
import dev.mooring.operation.Completion;
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
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The attach/detach controller ({@code persistentvolume-attach-detach-controller}). */
public final class AttachDetachController implements Controller {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "persistentvolume-attach-detach-controller";

  /** Pods by the node that they run on; the informer of pods must have it. */
  public static final Index<Pod, String> PODS_BY_NODE = Intake.PODS_BY_NODE;

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration ATTACHER_PATIENCE = Duration.ofMinutes(2);
  private static final Duration EVIDENCE_EVERY = Duration.ofSeconds(2);
  private static final int WORKERS = 8;

  /** Between writes of a node's status that fail: when the server is back, this is waited for. */
  private static final Duration STATUS_FIRST = Duration.ofMillis(50);

  private static final Duration STATUS_CAP = Duration.ofSeconds(5);

  /** How long what somebody else wrote into a node's status stands. */
  private static final Duration FOREIGN_LIST_STANDS = Duration.ofSeconds(10);

  /** Detaches that ask the server at once; attaches are as many as there are. */
  private static final int DETACHES_AT_ONCE = 8;

  /** Of these, those that nobody waits for. */
  private static final int IDLE_DETACHES_AT_ONCE = 2;

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
  private final Time time;
  private final Rules rules;
  private final DesiredWorld desired = new DesiredWorld();
  private final ActualWorld actual = new ActualWorld();
  private final Figures figures = new Figures();
  private final Resolver resolver;
  private final Intake intake;
  private final Adoption adoption;
  private final Views views;
  private final VolumeAttachments attachments;
  private final NodeStatuses statuses;
  private final PodNarrator narrator;
  private final Verification verification;
  private final WorkQueue<News> news;
  private final WorkQueue<VolumeId> volumes;
  private final WorkQueue<String> reports;
  private final List<Worker<?>> workers;
  private final Worker<News> newsWorker;
  private final Operations operations;
  private final StepRunner steps;
  private final Watch watch;
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
    this.time = ports.time();
    this.rules = new Rules(config.forceOnTimeout(), Rules.SIX_MINUTES);
    this.news = new WorkQueue<>("pvcs", time);
    this.volumes = new WorkQueue<>("attach_detach", time);
    this.reports = new WorkQueue<>("node_status", time, new Backoff<>(STATUS_FIRST, STATUS_CAP));
    Lane lane = new Lane(time, DETACHES_AT_ONCE, IDLE_DETACHES_AT_ONCE);
    this.operations = new Operations(time, threads, lane, volumes::add);
    this.resolver =
        new Resolver(informers.claims(), informers.volumes(), informers.drivers(), ports.plugins());
    Fencing fencing = new Fencing(new LeaseFencing(ports.reader(), time), ports.plugins());
    this.views =
        new Views(
            desired,
            actual,
            informers.nodes(),
            new Views.Knowledge(operations::running, operations::failures, fencing::isDead),
            time);
    this.intake =
        new Intake(
            new Intake.Sources(
                informers.pods(), informers.podsByClaim(), informers.volumes(), informers.nodes()),
            resolver,
            desired,
            actual,
            new Intake.Wake(
                volumes::add, reports::add, node -> reports.addAfter(node, FOREIGN_LIST_STANDS)));
    this.adoption =
        new Adoption(
            new Adoption.Sources(informers.nodes(), informers.attachments(), informers.volumes()),
            resolver,
            actual,
            volumes::add);
    this.attachments =
        new VolumeAttachments(
            informers.attachments(), ports.writer(), ports.reader(), time, ATTACHER_PATIENCE);
    this.statuses = new NodeStatuses(actual, informers.nodes(), ports.writer(), time);
    this.narrator = new PodNarrator(ports.events(), desired, time, config.likeKubernetes());
    Backends backends = new Backends(attachments, ports.plugins(), this::hasHeardOf);
    NodeChecks checks =
        new NodeChecks(ports.reader(), fencing, ports.events(), config.likeKubernetes());
    Jobs jobs =
        new Jobs(
            desired,
            actual,
            new Jobs.Tools(
                backends,
                statuses,
                checks,
                narrator,
                figures,
                reports::add,
                this::retryLater,
                time));
    this.verification =
        new Verification(
            actual,
            new Verification.Witnesses(informers.attachments(), ports.reader(), backends),
            new Verification.Questions(resolver::isAttachable, views::isInUse),
            narrator,
            figures,
            (volume, node) -> {
              volumes.add(volume);
              reports.add(node);
            });
    this.steps = new StepRunner(desired, actual, operations, jobs, fencing, volumes::add, time);
    this.watch =
        new Watch(
            informers,
            new Watch.Listeners(
                news::add,
                actual,
                fencing,
                attachments,
                adoption,
                operations,
                new Drivers(resolver, checks, operations, time, news::add, () -> stopped)::changed,
                config.likeKubernetes() ? (volume, node) -> {} : this::verifyOne));
    this.newsWorker = new Worker<>("attachdetach-news", news, this::take, 1);
    this.workers =
        List.of(
            new Worker<>("attachdetach", volumes, this::sync, WORKERS),
            new Worker<>("attachdetach-report", reports, this::report, WORKERS));
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
    newsWorker.start();
    workers.forEach(Worker::start);
    verifyLater();
  }

  private void begin() throws InterruptedException {
    intake.begin();
    adoption.recover();
    watch.begin();
    while (newsWorker.step()) {
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
      verifyLater();
    }

    /** Takes one change in; false if there is none. */
    public boolean news() throws InterruptedException {
      return newsWorker.step();
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
    news.add(new News.OfPlugins());
  }

  /** A detach that failed before it began waits no longer than a status that is to be written. */
  private void retryLater(VolumeId volume, String node) {
    time.schedule(STATUS_CAP, () -> operations.retryDetach(volume, node));
  }

  private boolean hasHeardOf(VolumeId id) {
    boolean heard = intake.hasHeardOf(id);
    if (!heard) {
      pluginsChanged();
    }
    return heard;
  }

  private void verifyOne(VolumeId volume, String node) {
    operations.look(
        "volume " + volume + " on " + node,
        () -> {
          verification.verify(volume, node);
          return Completion.DONE;
        });
  }

  private Outcome take(News one) {
    intake.take(one);
    return Outcome.SETTLED;
  }

  private Outcome sync(VolumeId id) {
    VolumeView view = views.of(id);
    operations.retain(id, view.nodes().stream().map(NodeView::node).collect(Collectors.toSet()));
    List<Step> decided = AttachDecider.decide(view, rules);
    boolean awaited = decided.stream().anyMatch(step -> step instanceof Step.Blocked);
    for (Step step : decided) {
      steps.run(id, step, awaited, config.failoverByEvidence());
    }
    Optional<Duration> untold = narrator.decided(id, decided);
    Optional<Duration> evidence =
        config.failoverByEvidence() && decided.stream().anyMatch(StepRunner::isSuspect)
            ? Optional.of(EVIDENCE_EVERY)
            : Optional.empty();
    return Stream.of(AttachDecider.lookAgain(decided), untold, evidence)
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .<Outcome>map(Outcome.CheckAgain::new)
        .orElse(Outcome.SETTLED);
  }

  private Outcome report(String node) throws InterruptedException {
    return switch (statuses.flush(node)) {
      case NodeStatuses.Flushed.Done _ -> Outcome.SETTLED;
      case NodeStatuses.Flushed.Failed(String problem) ->
          new Outcome.Retry(new Failure.Unreachable(problem));
    };
  }

  private void verifyLater() {
    config
        .verifyEvery()
        .ifPresent(period ->
            time.schedule(
                period,
                () -> {
                  if (!stopped) {
                    operations.look("everything", this::verify);
                    verifyLater();
                  }
                }));
  }

  private Completion verify() throws InterruptedException {
    if (!intake.hasHeardAll()) {
      pluginsChanged();
    }
    verification.verifyAll();
    if (!config.likeKubernetes()) {
      adoption.adoptWhatIsOurs();
    }
    return Completion.DONE;
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    stopped = true;
    boolean clean = newsWorker.stop(grace);
    for (Worker<?> worker : workers) {
      clean &= worker.stop(grace);
    }
    // an attacher's answer is not waited for: the next start finds the attachment
    boolean waiting = attachments.waiters() > 0;
    clean &= operations.close(waiting ? Duration.ZERO : grace) || waiting;
    return clean;
  }

  @Override
  public boolean isIdle() {
    return news.isIdle(SOON)
        && volumes.isIdle(SOON)
        && reports.isIdle(SOON)
        && operations.running() <= attachments.waiters();
  }

  @Override
  public List<QueueStats> queueStats() {
    return List.of(news.stats(), volumes.stats(), reports.stats());
  }

  /** What is counted for metrics. */
  public AttachDetachMetrics metrics() {
    return new AttachDetachMetrics(desired, actual, figures, informers.pods(), resolver);
  }
}
