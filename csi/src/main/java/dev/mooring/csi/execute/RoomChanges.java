package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.Capacities.Change;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A driver's volumes; says, as they are made and destroyed, where there is more or less room.
 *
 * @param listener must be quick
 */
public record RoomChanges(VolumeService volumes, LiveReader reader, Consumer<Change> listener)
    implements VolumeService {
  @Override
  public Set<String> names() {
    return volumes.names();
  }

  @Override
  public Set<String> inheritedNames() {
    return volumes.inheritedNames();
  }

  @Override
  public boolean isReady() {
    return volumes.isReady();
  }

  @Override
  public boolean makesBlockVolumes() {
    return volumes.makesBlockVolumes();
  }

  @Override
  public Plan plan(Order order) throws InterruptedException {
    return switch (volumes.plan(order)) {
      case Plan.Ask(Call call) -> new Plan.Ask(() -> told(order, call.run()));
      case Plan.Left left -> left;
      case Plan.Never never -> never;
      case Plan.Not not -> not;
      case Plan.Unknown unknown -> unknown;
    };
  }

  private ProvisionResult told(Order order, ProvisionResult result) {
    switch (result) {
      case ProvisionResult.Made made ->
          listener.accept(new Change.Of(topology(Whole.of(made.object().members()))));
      case ProvisionResult.Unusable _ -> listener.accept(refused(order));
      case ProvisionResult.Failed failed when failed.state() != State.UNCHANGED ->
          listener.accept(refused(order));
      case ProvisionResult.Failed _ -> {} // the driver was not asked
    }
    return result;
  }

  private static Change refused(Order order) {
    String node = order.selectedNode();
    return node == null
        ? new Change.OfClass(order.storageClass().meta().name())
        : new Change.OnNode(node);
  }

  @Override
  public void forget(Uid claim) {
    volumes.forget(claim);
  }

  @Override
  public Destruction prepare(Volume volume) throws InterruptedException {
    return switch (volumes.prepare(volume)) {
      case Destruction.Ready(DestroyCall call) -> {
        Change change = destroyed(volume);
        yield new Destruction.Ready(() -> told(change, call.run()));
      }
      case Destruction.Not not -> not;
    };
  }

  private Destroying told(Change change, Destroying end) {
    if (end instanceof Destroying.Destroyed) {
      listener.accept(change);
    }
    return end;
  }

  /** Where it is, which the cache does not hold. */
  private Change destroyed(Volume volume) throws InterruptedException {
    return reader.readWhole(Kind.VOLUME, volume.key())
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> whole)
        ? new Change.Of(topology(Whole.of(whole)))
        : new Change.Of(List.of()); // anywhere
  }

  /** As {@link dev.mooring.cluster.NodeTerms} wrote it. */
  static List<Map<String, String>> topology(Whole volume) {
    List<Map<String, String>> topology = new ArrayList<>();
    Whole required = volume.at("spec", "nodeAffinity", "required");
    for (Whole term : required.parts("nodeSelectorTerms")) {
      Map<String, String> segments = new HashMap<>();
      for (Whole expression : term.parts("matchExpressions")) {
        List<String> values = expression.list("values");
        if (expression.text("operator").equals("In") && values.size() == 1) {
          segments.put(expression.text("key"), values.getFirst());
        }
      }
      topology.add(Map.copyOf(segments));
    }
    return List.copyOf(topology);
  }
}
