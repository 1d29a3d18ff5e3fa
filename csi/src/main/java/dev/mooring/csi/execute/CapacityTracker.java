package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CapacityObjects.CapacityChange;
import dev.mooring.live.RawObject;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService.DestroyCall;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Notifies a listener where a driver's available capacity changes, as volumes are created and
 * deleted.
 *
 * @param listener must not block
 */
public record CapacityTracker(LiveReader reader, Consumer<CapacityChange> listener) {
  ProvisionResult notifyAfter(Order order, ProvisionResult result) {
    switch (result) {
      case ProvisionResult.Created creation ->
          listener.accept(
              new CapacityChange.OfVolume(
                  readTopology(new RawObject(creation.object().members()))));
      case ProvisionResult.Unusable _ -> listener.accept(changeByRefusal(order));
      case ProvisionResult.Failed failure when failure.state() != State.UNCHANGED ->
          listener.accept(changeByRefusal(order));
      case ProvisionResult.Failed _ -> {} // the driver was not called
    }
    return result;
  }

  private static CapacityChange changeByRefusal(Order order) {
    String node = order.selectedNode();
    return node == null
        ? new CapacityChange.OfClass(order.storageClass().meta().name())
        : new CapacityChange.OnNode(node);
  }

  DestroyCall notifyAfterDeletion(Volume volume, DestroyCall call) throws InterruptedException {
    CapacityChange change = changeByDeletion(volume);
    return () -> notifyAfter(change, call.run());
  }

  private DestroyResult notifyAfter(CapacityChange change, DestroyResult result) {
    if (result instanceof DestroyResult.Destroyed) {
      listener.accept(change);
    }
    return result;
  }

  // Reads the volume live, because the cache drops its node affinity.
  private CapacityChange changeByDeletion(Volume volume) throws InterruptedException {
    return reader.readWhole(Kind.VOLUME, volume.key())
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> object)
        ? new CapacityChange.OfVolume(readTopology(new RawObject(object)))
        : new CapacityChange.OfVolume(List.of()); // unknown: everywhere
  }

  static List<Map<String, String>> readTopology(RawObject volume) {
    List<Map<String, String>> topology = new ArrayList<>();
    RawObject required = volume.at("spec", "nodeAffinity", "required");
    for (RawObject term : required.objects("nodeSelectorTerms")) {
      Map<String, String> segments = new HashMap<>();
      for (RawObject expression : term.objects("matchExpressions")) {
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
