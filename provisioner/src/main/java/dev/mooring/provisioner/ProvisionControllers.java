package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.execute.ProvisionStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.StorageProvisioner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Provision controllers of the program, one per storage. Thread-safe. */
public final class ProvisionControllers implements StorageProvisioner {
  /** Operation name for creation in {@link #stats}. */
  public static final String PROVISION = ProvisionStats.PROVISION;

  /** Operation name for deletion in {@link #stats}. */
  public static final String DELETE = ProvisionStats.DELETE;

  /** Upper bounds of the histogram buckets of {@link #stats}, in seconds. */
  public static final List<Double> BOUNDS = ProvisionStats.BOUNDS;

  private final SharedInformers informers;
  private final ClusterPorts ports;
  private final DeletionBreaker breaker;
  private final SavedVolumes saved;
  private final List<ProvisionController> all = new CopyOnWriteArrayList<>();

  /**
   * @param breaker consulted before each deletion
   * @param saved receives the claims whose volumes are created and saved
   */
  @Inject
  ProvisionControllers(
      SharedInformers informers, ClusterPorts ports, DeletionBreaker breaker, SavedVolumes saved) {
    this.informers = informers;
    this.ports = ports;
    this.breaker = breaker;
    this.saved = saved;
  }

  @Override
  public ControllerSpec in(ProvisionedStorage storage) {
    ProvisionController controller =
        new ProvisionController(storage, informers, ports, breaker, saved);
    storage.onReady().accept(controller::wake);
    storage.onUnblocked().accept(controller::wake);
    all.add(controller);
    return controller.spec();
  }

  /** Returns durations by StorageClass, for {@link #PROVISION} and {@link #DELETE}. */
  public List<OperationStats.Durations> stats() {
    return all.stream().flatMap(controller -> controller.stats().stream()).toList();
  }
}
