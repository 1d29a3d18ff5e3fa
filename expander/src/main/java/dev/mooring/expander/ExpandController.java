package dev.mooring.expander;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.cluster.ReadResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.execute.ExpandExecutor;
import dev.mooring.expander.execute.ResizeReporter;
import dev.mooring.expander.execute.VolumeGrowth;
import dev.mooring.expander.state.GrowerFinder;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.workqueue.WorkQueue;
import java.util.Map;
import java.util.Optional;

/** The expand controller ({@code persistentvolume-expander-controller}). */
public final class ExpandController {
  public static final String NAME = "persistentvolume-expander-controller";

  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("growing volumes")
          .may(Kind.VOLUME, Verb.GET, Verb.PATCH)
          .mayStatus(Kind.CLAIM, Verb.PATCH)
          .mayEmitEvents();

  private static final int WORKERS = 10;

  public enum Scope {
    ALL,
    PLUGINS
  }

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final LoadedPlugins plugins;
  private final GrowerFinder growers;
  private final OperationStats stats = new OperationStats();
  private final LiveReader reader;
  private final Scope scope;
  private final Compat compat;
  private final ExpandExecutor executor;
  private final WorkQueue<ObjectKey> queue;

  @Inject
  public ExpandController(
      SharedInformers informers,
      ClusterPorts ports,
      LoadedPlugins plugins,
      Scope scope,
      Compat compat) {
    this.scope = scope;
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.plugins = plugins;
    this.growers = new GrowerFinder(plugins, scope == Scope.ALL, compat);
    this.reader = ports.reader();
    this.compat = compat;
    this.queue = WorkQueue.fair("volume_expand", ports.time(), ObjectKey::namespace);
    ResizeReporter reporter = new ResizeReporter(ports.events());
    this.executor =
        new ExpandExecutor(
            ports, reporter, new VolumeGrowth(ports, reporter, stats, compat, queue::add));
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims, volumes)
        .addHandler(claims, this::claimChanged)
        .once(() -> plugins.onChange(changed -> pluginsChanged()))
        .loop(queue, this::sync, WORKERS)
        .work(executor)
        .build();
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim current) -> requeueIfBound(current);
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (old.isReplacedBy(current)) {
          executor.forget(old.key());
          requeueIfBound(current);
        } else if (mayGrow(old, current)) {
          queue.add(current.key());
        }
      }
      case Change.Deleted<Claim>(Claim last, _) -> executor.forget(last.key());
    }
  }

  private void requeueIfBound(Claim claim) {
    if (claim.phase() == ClaimPhase.BOUND) {
      queue.add(claim.key());
    }
  }

  private boolean mayGrow(Claim old, Claim current) {
    boolean isRefusalObsolete =
        ExpandDecider.requestsOtherSize(old, current)
            && plugins.find(current.meta().annotation(CsiMigration.RESIZER)).isPresent();
    return ExpandDecider.hasGrown(old, current) || isRefusalObsolete;
  }

  private void pluginsChanged() {
    for (Claim claim : claims.snapshot().objects()) {
      boolean hasAnnotation = hasPreResizeAnnotation(ObjectKey.cluster(claim.volumeName()));
      if (claim.phase() == ClaimPhase.BOUND && ExpandDecider.isCandidate(claim, hasAnnotation)) {
        queue.add(claim.key());
      }
    }
  }

  private boolean hasPreResizeAnnotation(ObjectKey volumeKey) {
    return volumes
        .get(volumeKey)
        .filter(v -> v.meta().hasAnnotation(ExpandDecider.PRE_RESIZE_CAPACITY))
        .isPresent();
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> cachedClaim = claims.get(key);
    if (cachedClaim.isEmpty() || cachedClaim.get().phase() != ClaimPhase.BOUND) {
      return Outcome.SETTLED;
    }
    Claim claim = cachedClaim.get();
    ObjectKey volumeKey = ObjectKey.cluster(claim.volumeName());
    if (!volumeKey.flaw().isEmpty()
        || !ExpandDecider.isCandidate(claim, hasPreResizeAnnotation(volumeKey), compat)) {
      return Outcome.SETTLED; // avoids reading 100,000 volumes from the API server at every start
    }
    return switch (reader.read(Kind.VOLUME, volumeKey)) {
      case ReadResult.Found<Volume>(Volume volume) -> sync(claim, volume);
      case ReadResult.Absent<Volume> _ ->
          new Outcome.Retry(
              new Failure.Rejected(
                  "claim " + key + " names volume \"" + claim.volumeName() + "\", which is gone"));
      case ReadResult.Failed<Volume>(String message) -> new Outcome.Unanswered(message);
    };
  }

  private Outcome sync(Claim claim, Volume volume) throws InterruptedException {
    Map<String, Long> generations = plugins.generations();
    Optional<GrowerFinder.VolumeGrower> grower = growers.findGrower(volume.source());
    if (grower.isEmpty() && !plugins.generations().equals(generations)) {
      return new Outcome.Retry(
          new Failure.Unreachable(
              "which plugin expands volume %s is unknown: a plugin has not answered"
                  .formatted(volume.key().name())));
    }
    if (grower.isEmpty() && scope == Scope.PLUGINS) {
      return Outcome.SETTLED;
    }
    return executor.execute(
        claim,
        volume,
        grower,
        DecisionLog.recordDecision(
            ExpandDecider.decide(
                claim,
                volume,
                grower.isPresent()
                    ? ExpandDecider.GrowerLocation.HERE
                    : ExpandDecider.GrowerLocation.ELSEWHERE,
                compat)));
  }

  public OperationStats operations() {
    return stats;
  }
}
