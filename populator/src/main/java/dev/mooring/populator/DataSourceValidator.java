package dev.mooring.populator;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
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
import dev.mooring.populator.state.LoadedPopulators;
import dev.mooring.populator.state.ValidationCounts;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.workqueue.WorkQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Equivalent of Kubernetes' volume-data-source-validator: reports unbound claims whose kind of data
 * source no VolumePopulator registers. Runs once the cluster serves VolumePopulators.
 */
public final class DataSourceValidator {
  public static final String NAME = "volume-data-source-validator";

  private static final int PARALLELISM = 10;

  private final Informer<Claim> claims;
  private final Informer<VolumePopulator> registrations;
  private final LoadedPopulators populators;
  private final PopulationReporter reporter;
  private final ValidationCounts counts = new ValidationCounts();
  private final WorkQueue<ObjectKey> queue;

  @Inject
  public DataSourceValidator(LoadedPlugins plugins, SharedInformers informers, ClusterPorts ports) {
    this.claims = informers.of(Kind.CLAIM);
    this.registrations = informers.of(VolumePopulator.KIND);
    this.populators = new LoadedPopulators(plugins);
    this.reporter = new PopulationReporter(ports.events(), NAME);
    this.queue = WorkQueue.fair(NAME, ports.time(), ObjectKey::namespace);
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims, registrations)
        .addHandler(claims, this::claimChanged)
        .addChangeHandler(registrations, this::registrationChanged)
        .loop(queue, this::sync, PARALLELISM)
        .build();
  }

  private void claimChanged(Change<Claim> change) {
    Claim claim = change.object();
    if (change instanceof Change.Deleted<Claim>) {
      reporter.forget(claim.meta().uid());
    } else if (claim.dataSourceRef() == null) {
      counts.record(SourceCheck.EMPTY);
    } else {
      queue.add(claim.key());
    }
  }

  private void registrationChanged(Change<VolumePopulator> change) {
    for (Claim claim : claims.snapshot().objects()) {
      DataSourceRef source = claim.dataSourceRef();
      if (source != null && claim.volumeName().isEmpty() && source.needsPopulator()) {
        queue.add(claim.key());
      }
    }
  }

  private Outcome sync(ObjectKey key) {
    Optional<Claim> cachedClaim = claims.get(key);
    cachedClaim.ifPresent(this::check);
    return Outcome.SETTLED;
  }

  private void check(Claim claim) {
    DataSourceRef source = claim.dataSourceRef();
    List<VolumePopulator> registered = new ArrayList<>();
    registrations.snapshot().objects().forEach(registered::add);
    SourceCheck check = SourceCheck.of(source, registered, isServed(source));
    counts.record(check);
    if (check != SourceCheck.INVALID) {
      reporter.forget(claim.meta().uid());
    } else if (source != null && claim.volumeName().isEmpty()) {
      reporter.reportUnknownKind(claim, source.kindName());
    }
  }

  private boolean isServed(@Nullable DataSourceRef source) {
    return source != null && populators.find(source).isPresent();
  }

  public Map<String, Long> counts() {
    return counts.read();
  }
}
