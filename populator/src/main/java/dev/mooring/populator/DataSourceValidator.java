package dev.mooring.populator;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumePopulator;
import dev.mooring.populator.decide.SourceCheck;
import dev.mooring.populator.execute.PopulationReporter;
import dev.mooring.populator.execute.RegisteredKinds;
import dev.mooring.populator.state.LoadedPopulators;
import dev.mooring.populator.state.ValidationCounts;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Equivalent of Kubernetes' volume-data-source-validator: reports unbound claims whose kind of data
 * source no VolumePopulator registers. Reports nothing while the cluster does not serve
 * VolumePopulators.
 */
public final class DataSourceValidator {
  public static final String NAME = "volume-data-source-validator";

  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("reporting data sources of unknown kinds")
          .may(VolumePopulator.KIND, Verb.LIST)
          .mayEmitEvents();

  private static final int PARALLELISM = 10;
  private static final Duration RECHECK_DELAY = Duration.ofMinutes(1);

  private final Informer<Claim> claims;
  private final LoadedPopulators populators;
  private final RegisteredKinds registeredKinds;
  private final PopulationReporter reporter;
  private final ValidationCounts counts = new ValidationCounts();
  private final WorkQueue<ObjectKey> queue;

  @Inject
  public DataSourceValidator(LoadedPlugins plugins, SharedInformers informers, ClusterPorts ports) {
    this.claims = informers.of(Kind.CLAIM);
    this.populators = new LoadedPopulators(plugins);
    this.registeredKinds = new RegisteredKinds(ports.reader(), ports.time());
    this.reporter = new PopulationReporter(ports.events(), NAME);
    this.queue = WorkQueue.fair(NAME, ports.time(), ObjectKey::namespace);
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims)
        .addHandler(claims, this::claimChanged)
        .loop(queue, this::sync, PARALLELISM)
        .build();
  }

  private void claimChanged(Change<Claim> change) {
    Claim claim = change.object();
    DataSourceRef source = claim.dataSourceRef();
    if (change instanceof Change.Deleted<Claim>) {
      reporter.forget(claim.meta().uid());
    } else if (source == null || !source.needsPopulator()) {
      counts.record(SourceCheck.of(source, List.of(), false));
    } else if (claim.volumeName().isEmpty()) {
      queue.add(claim.key());
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> claim = claims.get(key).filter(c -> c.volumeName().isEmpty());
    DataSourceRef source = claim.map(Claim::dataSourceRef).orElse(null);
    if (claim.isEmpty() || source == null) {
      return Outcome.SETTLED;
    }
    boolean isServed = populators.find(source).isPresent();
    if (isServed) {
      return conclude(claim.get(), source, SourceCheck.POPULATOR);
    }
    return switch (registeredKinds.read()) {
      case ReadResult.Found<List<VolumePopulator>>(List<VolumePopulator> registered) ->
          conclude(claim.get(), source, SourceCheck.of(source, registered, false));
      case ReadResult.Absent<List<VolumePopulator>> _ -> // a list is never absent
          conclude(claim.get(), source, SourceCheck.ERROR);
      case ReadResult.Failed<List<VolumePopulator>>(String message) -> {
        reporter.logUncheckedKinds(message);
        yield conclude(claim.get(), source, SourceCheck.ERROR);
      }
    };
  }

  private Outcome conclude(Claim claim, DataSourceRef source, SourceCheck check) {
    counts.record(check);
    return switch (check) {
      case INVALID -> {
        reporter.reportUnknownKind(claim, source.kindName());
        yield new Outcome.CheckAgain(RECHECK_DELAY); // the kind may be registered later
      }
      case ERROR -> new Outcome.CheckAgain(RECHECK_DELAY);
      case EMPTY, PVC, SNAPSHOT, POPULATOR -> {
        reporter.forget(claim.meta().uid());
        yield Outcome.SETTLED;
      }
    };
  }

  public Map<String, Long> counts() {
    return counts.read();
  }
}
