package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.SharedInformers;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.execute.ProvisionStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.StorageProvisioner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Provision controllers of the program, one per storage. Thread-safe. */
public final class ProvisionControllers implements StorageProvisioner {
  public static final String PROVISION = ProvisionStats.PROVISION;

  public static final String DELETE = ProvisionStats.DELETE;

  public static final List<Double> BOUNDS = ProvisionStats.BOUNDS;

  private final SharedInformers informers;
  private final ClusterPorts ports;
  private final SharedState shared;
  private final List<ProvisionController> controllers = new CopyOnWriteArrayList<>();

  @Inject
  ProvisionControllers(SharedInformers informers, ClusterPorts ports, SharedState shared) {
    this.informers = informers;
    this.ports = ports;
    this.shared = shared;
  }

  @Override
  public ControllerSpec createController(ProvisionedStorage storage) {
    ProvisionController controller = new ProvisionController(storage, informers, ports, shared);
    storage.onReady().accept(controller::wakeAll);
    storage.onUnblocked().accept(controller::wakeClaim);
    controllers.add(controller);
    return controller.spec();
  }

  /**
   * Returns whether a controller serves the provisioner now; false while its plugin is unloaded.
   */
  boolean isServed(String provisioner) {
    return controllers.stream().anyMatch(controller -> controller.serves(provisioner));
  }

  public List<OperationStats.Durations> stats() {
    return controllers.stream().flatMap(controller -> controller.stats().stream()).toList();
  }
}
