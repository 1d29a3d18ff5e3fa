package dev.mooring.provisioner;

import dev.mooring.cluster.Document;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A storage with scripted results that records all calls. */
public final class FakeStorage implements VolumeService {
  /** All calls in order. */
  public final List<String> requests = new ArrayList<>();

  /** Next results of provisioning; success if empty. */
  public final Deque<ProvisionResult> results = new ArrayDeque<>();

  /** Next plans for requests; {@link Plan.Ready} if empty. */
  public final Deque<Plan> plans = new ArrayDeque<>();

  /** Why volumes are not served; served if empty. */
  public Optional<DestroyResult> hindrance = Optional.empty();

  /** Result of every deletion. */
  public DestroyResult destroying = new DestroyResult.Destroyed();

  public boolean block;

  public boolean needsNodes;

  /** All planned orders. */
  public final List<Order> orders = new ArrayList<>();

  @Override
  public Set<String> provisionerNames() {
    return Set.of("ours");
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public boolean supportsBlockVolumes() {
    return block;
  }

  @Override
  public boolean needsNodes() {
    return needsNodes;
  }

  @Override
  public Plan plan(Order order) {
    orders.add(order);
    return plans.isEmpty() ? new Plan.Ready(() -> provision(order)) : plans.removeFirst();
  }

  private ProvisionResult provision(Order order) {
    requests.add("make " + order.volumeName() + " " + order.selectedNode());
    return results.isEmpty()
        ? new ProvisionResult.Created(
            Document.empty().set("h", "spec", "csi", "volumeHandle"),
            () -> {
              requests.add("roll back " + order.volumeName());
              return destroying;
            })
        : results.removeFirst();
  }

  /** Runs while a deletion is prepared, to simulate concurrent writes while Secrets are read. */
  public Runnable preparing = () -> {};

  /** Runs while the storage deletes a volume. */
  public Runnable during = () -> {};

  @Override
  public Optional<DestroyResult> checkService(Volume volume) {
    return hindrance;
  }

  @Override
  public DestroyPlan planDestruction(Volume destroyed) {
    preparing.run();
    if (destroying instanceof DestroyResult.NotResponsible
        || destroying instanceof DestroyResult.Unknown) {
      requests.add("prepare " + destroyed.meta().name());
      return new DestroyPlan.Blocked(destroying);
    }
    return new DestroyPlan.Ready(() -> destroy(destroyed));
  }

  private DestroyResult destroy(Volume destroyed) {
    requests.add("destroy " + destroyed.meta().name());
    during.run();
    return destroying;
  }
}
