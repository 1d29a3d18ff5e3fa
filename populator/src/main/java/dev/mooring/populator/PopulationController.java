package dev.mooring.populator;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.informer.SharedInformers;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.populator.decide.PopulationDecider;
import dev.mooring.populator.decide.PopulationDecision;
import dev.mooring.populator.decide.PopulationView;
import dev.mooring.populator.execute.FillPods;
import dev.mooring.populator.execute.PopulationExecutor;
import dev.mooring.populator.execute.PopulationReporter;
import dev.mooring.populator.observe.PopulationEventHandlers;
import dev.mooring.populator.state.LoadedPopulators;
import dev.mooring.populator.state.PopulationTimes;
import dev.mooring.populator.state.PopulationViews;
import dev.mooring.populator.state.RestartDelays;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fills the volumes of claims with data sources of any kind, with the populators of plugins.
 * Equivalent of Kubernetes' populator library: a prime claim gets a volume, the populator fills it,
 * and the volume moves to the user's claim.
 */
public final class PopulationController {
  public static final String NAME = "volume-populator";

  public static final List<Double> BOUNDS = PopulationTimes.BOUNDS;

  private static final int PARALLELISM = 256; // calls of plugins block
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofMinutes(5);

  private final LoadedPlugins plugins;
  private final PopulationViews views;
  private final LiveReader reader;
  private final FillPods pods;
  private final RestartDelays restartDelays;
  private final PopulationTimes times;
  private final PopulationExecutor executor;
  private final Time time;
  private final WorkQueue<ObjectKey> queue;
  private final PopulationEventHandlers handlers;

  @Inject
  public PopulationController(
      PopulatorConfig config,
      LoadedPlugins plugins,
      SharedInformers informers,
      ClusterPorts ports) {
    LoadedPopulators populators = new LoadedPopulators(plugins);
    PopulationReporter reporter = new PopulationReporter(ports.events(), NAME);
    this.plugins = plugins;
    this.views =
        new PopulationViews(informers, populators, config.namespace(), config.acrossNamespaces());
    this.reader = ports.reader();
    this.pods = new FillPods(reader);
    this.time = ports.time();
    this.restartDelays = new RestartDelays(time);
    this.times = new PopulationTimes(time);
    this.executor = new PopulationExecutor(ports, populators, reporter, restartDelays, times);
    this.queue =
        WorkQueue.fair(NAME, time, new Backoff<>(FIRST_RETRY, LAST_RETRY), ObjectKey::namespace);
    this.handlers =
        new PopulationEventHandlers(
            views,
            queue,
            uid -> {
              reporter.forget(uid);
              restartDelays.forget(uid);
              times.end(uid, false);
            });
  }

  // Rights to the populators' own kinds are not listed.
  public static RbacRules rights(PopulatorConfig config) {
    if (config.namespace().isEmpty()) {
      return RbacRules.NONE;
    }
    String purpose = "populating volumes";
    RbacRules rules =
        RbacRules.forPurpose(purpose)
            .may(Kind.CLAIM, Verb.GET, Verb.PATCH)
            .may(Kind.VOLUME, Verb.GET, Verb.PATCH)
            .inNamespace(config.namespace())
            .may(Kind.CLAIM, Verb.CREATE, Verb.DELETE)
            .may(Kind.POD, Verb.GET, Verb.CREATE, Verb.DELETE)
            .mayEmitEvents();
    return config.acrossNamespaces()
        ? rules.andForPurpose(purpose).may(ReferenceGrant.KIND, Verb.LIST)
        : rules;
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(views.claims(), views.volumes(), views.classes())
        .once(() -> plugins.onChange(changed -> handlers.pluginsChanged()))
        .addHandler(views.claims(), handlers::claimChanged)
        .addChangeHandler(views.volumes(), handlers::volumeChanged)
        .addChangeHandler(views.classes(), handlers::classChanged)
        .loop(queue, this::sync, PARALLELISM)
        .build();
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<PopulationView> view = views.buildView(key, time.now(), restartDelays);
    if (view.isEmpty()) {
      return Outcome.SETTLED;
    }
    return reconcile(
        view.get().needsPod() ? view.get().withPod(pods.read(view.get().podKey())) : view.get());
  }

  private Outcome reconcile(PopulationView view) throws InterruptedException {
    PopulationDecision decision =
        LiveDecisions.decide(reader, LiveFacts.NONE, live -> PopulationDecider.decide(view, live));
    return executor.execute(view, decision, this::reconcile);
  }

  public List<Durations> durations() {
    return times.read();
  }

  public int inFlight() {
    return times.inFlight();
  }
}
