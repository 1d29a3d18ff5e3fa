package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.Holder;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.Rules;
import dev.mooring.attachdetach.decide.Step;
import dev.mooring.attachdetach.decide.Target;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.Backends;
import dev.mooring.attachdetach.execute.Fencing;
import dev.mooring.attachdetach.execute.Figures;
import dev.mooring.attachdetach.execute.Jobs;
import dev.mooring.attachdetach.execute.Lane;
import dev.mooring.attachdetach.execute.LeaseFencing;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.execute.NodeStatuses;
import dev.mooring.attachdetach.execute.PodNarrator;
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
import dev.mooring.informer.Change;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.Plugins;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.Outcome;
import dev.mooring.reconcile.Worker;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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

  /** Detaches that ask the server at once; attaches are as many as there are. */
  private static final int DETACHES_AT_ONCE = 8;

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

  /** A volume on a node: what attaches and detaches are about. */
  private record Pair(VolumeId volume, String node) {}

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
  private final Fencing fencing;
  private final NodeStatuses statuses;
  private final PodNarrator narrator;
  private final Jobs jobs;
  private final Verification verification;
  private final WorkQueue<News> news;
  private final WorkQueue<VolumeId> volumes;
  private final WorkQueue<String> reports;
  private final List<Worker<?>> workers;
  private final Worker<News> newsWorker;
  private final KeyedOperations<Pair> attaching;
  private final KeyedOperations<Pair> detaching;
  private final KeyedOperations<String> looking;
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
    this.reports = new WorkQueue<>("node_status", time);
    this.attaching =
        new KeyedOperations<>("attach", time, pair -> volumes.add(pair.volume()), threads);
    this.detaching =
        new KeyedOperations<>("detach", time, pair -> volumes.add(pair.volume()), threads);
    this.looking = new KeyedOperations<>("look", time, what -> {}, threads);
    this.resolver =
        new Resolver(informers.claims(), informers.volumes(), informers.drivers(), ports.plugins());
    this.fencing = new Fencing(new LeaseFencing(ports.reader(), time), ports.plugins());
    this.views =
        new Views(desired, actual, informers.nodes(), this::running, fencing::isDead, time);
    this.intake =
        new Intake(
            new Intake.Sources(
                informers.pods(), informers.podsByClaim(), informers.volumes(), informers.nodes()),
            resolver,
            desired,
            actual,
            new Intake.Wake(volumes::add, reports::add));
    this.adoption =
        new Adoption(
            new Adoption.Sources(informers.nodes(), informers.attachments(), informers.volumes()),
            resolver,
            actual,
            volumes::add);
    Lane lane = new Lane(DETACHES_AT_ONCE, time);
    this.attachments =
        new VolumeAttachments(
            informers.attachments(), ports.writer(), ports.reader(), time, ATTACHER_PATIENCE, lane);
    this.statuses = new NodeStatuses(actual, informers.nodes(), ports.writer(), time);
    this.narrator = new PodNarrator(ports.events(), desired, time, config.likeKubernetes());
    Backends backends = new Backends(attachments, ports.plugins());
    NodeChecks checks =
        new NodeChecks(ports.reader(), fencing, ports.events(), config.likeKubernetes());
    this.jobs =
        new Jobs(
            desired,
            actual,
            new Jobs.Tools(
                backends, statuses, checks, lane, narrator, figures, reports::add, time));
    this.verification =
        new Verification(
            actual,
            informers.attachments(),
            ports.reader(),
            backends,
            resolver::isAttachable,
            narrator,
            figures,
            volumes::add);
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
    adoption.recover();
    watch();
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

  private void watch() {
    // pods come last: whatever changes while handlers are added is seen when pods are looked at
    watchNodes();
    quietly(
        informers.volumes(),
        change -> {
          if (change instanceof Change.Added<Volume>(Volume now) && now.claimRef() != null
              || change instanceof Change.Updated<Volume>(Volume before, Volume after)
                  && !Objects.equals(before.claimRef(), after.claimRef())) {
            news.add(new News.OfVolume(change.key()));
          }
        });
    quietly(
        informers.claims(),
        change -> {
          if (change.object().phase() == ClaimPhase.BOUND
              && !(change instanceof Change.Deleted<Claim>)) {
            news.add(new News.OfClaim(change.key()));
          }
        });
    quietly(informers.drivers(), change -> news.add(new News.OfDriver(change.key().name())));
    quietly(informers.attachments(), this::attachmentChanged);
    informers.pods().addHandler(change -> news.add(new News.OfPod(change.key())));
  }

  private void watchNodes() {
    informers
        .nodes()
        .addHandler(change -> {
          String name = change.key().name();
          switch (change) {
            case Change.Added<Node>(Node now) -> {
              if (now.isReady()) {
                fencing.isWell(name);
              }
              actual.nodeBack(name);
              news.add(new News.OfNode(name));
            }
            case Change.Updated<Node>(Node before, Node now) -> {
              if (now.isReady()) {
                fencing.isWell(name);
              }
              if (!isSame(before, now)) {
                news.add(new News.OfNode(name));
              }
            }
            case Change.Deleted<Node>(Node last) -> {
              actual.nodeGone(name, last.volumesInUse());
              news.add(new News.OfNode(name));
            }
          }
        });
  }

  /** A heartbeat is no news. */
  private static boolean isSame(Node before, Node now) {
    return before.meta().uid().equals(now.meta().uid())
        && Objects.equals(before.ready(), now.ready())
        && before.taints().equals(now.taints())
        && before.volumesInUse().equals(now.volumesInUse())
        && before.volumesAttached().equals(now.volumesAttached())
        && before.meta().has(Intake.MANAGED) == now.meta().has(Intake.MANAGED);
  }

  /** Without what is there already: pods lead to it. */
  private static <T extends Resource> void quietly(
      Informer<T> informer, Consumer<Change<T>> handler) {
    AtomicBoolean replaying = new AtomicBoolean(true);
    informer.addHandler(change -> {
      if (!replaying.get()) {
        handler.accept(change);
      }
    });
    replaying.set(false);
  }

  private void attachmentChanged(Change<Attachment> change) {
    attachments.changed(change);
    if (change instanceof Change.Added<Attachment>) {
      return; // our own, or adopted by the next verification
    }
    Target target = adoption.targetOf(change.object());
    if (target == null) {
      return;
    }
    Pair pair = new Pair(target.id(), change.object().nodeName());
    if (change instanceof Change.Updated<Attachment>(Attachment before, Attachment now)
        && now.attached()
        && !before.attached()) {
      attaching.forget(pair); // the driver has succeeded after all: no need to wait
      volumes.add(target.id());
    } else if (change instanceof Change.Deleted<Attachment>) {
      detaching.forget(pair); // a detach that had failed has succeeded after all
      volumes.add(target.id());
      if (!config.likeKubernetes()) {
        verifyOne(pair);
      }
    }
  }

  private void verifyOne(Pair pair) {
    looking.start(
        "volume " + pair.volume() + " on " + pair.node(),
        () -> {
          verification.verify(pair.volume(), pair.node());
          return true;
        });
  }

  private Outcome take(News one) {
    intake.take(one);
    return Outcome.SETTLED;
  }

  private Running running(VolumeId id, String node) {
    Pair pair = new Pair(id, node);
    if (attaching.isRunning(pair)) {
      return Running.ATTACH;
    }
    return detaching.isRunning(pair) ? Running.DETACH : Running.NOTHING;
  }

  private Outcome sync(VolumeId id) {
    List<Step> steps = AttachDecider.decide(views.of(id), rules);
    for (Step step : steps) {
      execute(id, step);
    }
    Optional<Duration> untold = narrator.decided(id, steps);
    Optional<Duration> evidence =
        config.failoverByEvidence() && steps.stream().anyMatch(step -> isSuspect(step))
            ? Optional.of(EVIDENCE_EVERY)
            : Optional.empty();
    return Stream.of(AttachDecider.lookAgain(steps), untold, evidence)
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .<Outcome>map(Outcome.CheckAgain::new)
        .orElse(Outcome.SETTLED);
  }

  private static boolean isSuspect(Step step) {
    return step instanceof Step.Hold(Holder holder) && holder.why() != Holder.Why.IN_USE;
  }

  private void execute(VolumeId id, Step step) {
    Pair pair = new Pair(id, step.node());
    switch (step) {
      case Step.Keep(String node) -> actual.wanted(id, node);
      case Step.Busy _, Step.Blocked _ -> {}
      case Step.Attach(String node) -> {
        Target target = desired.wanted(id).target();
        if (target != null) {
          attach(pair, target);
        }
      }
      case Step.Detach(String node, Step.Grounds grounds) -> {
        actual.unwanted(id, node, time.nanos());
        detaching.start(pair, () -> jobs.detach(id, node, grounds));
      }
      case Step.Hold(Holder holder) -> {
        actual.unwanted(id, holder.node(), time.nanos());
        if (config.failoverByEvidence() && isSuspect(step)) {
          investigate(pair);
        }
      }
    }
  }

  /**
   * The volume counts as possibly attached from before the operation begins: its pod may be gone
   * and another node's turn have come before the operation's thread has run for the first time.
   */
  private void attach(Pair pair, Target target) {
    boolean news = actual.perhaps(pair.volume(), pair.node(), target);
    actual.wanted(pair.volume(), pair.node());
    KeyedOperations.Start start =
        attaching.start(pair, () -> jobs.attach(target, pair.node(), news));
    if (news && start != KeyedOperations.Start.STARTED) {
      actual.detached(pair.volume(), pair.node());
    }
  }

  private void investigate(Pair pair) {
    looking.start(
        "node " + pair.node() + " for " + pair.volume(),
        () -> {
          if (fencing.investigate(pair.volume(), pair.node())) {
            volumes.add(pair.volume());
          }
          return true;
        });
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
                    looking.start("everything", this::verify);
                    verifyLater();
                  }
                }));
  }

  private boolean verify() throws InterruptedException {
    verification.verifyAll();
    if (!config.likeKubernetes()) {
      adoption.adoptWhatIsOurs();
    }
    return true;
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
    clean &= attaching.close(waiting ? Duration.ZERO : grace) || waiting;
    clean &= detaching.close(waiting ? Duration.ZERO : grace) || waiting;
    looking.close(Duration.ZERO);
    return clean;
  }

  @Override
  public boolean isIdle() {
    return news.isIdle(SOON)
        && volumes.isIdle(SOON)
        && reports.isIdle(SOON)
        && attaching.running() + detaching.running() <= attachments.waiters();
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
