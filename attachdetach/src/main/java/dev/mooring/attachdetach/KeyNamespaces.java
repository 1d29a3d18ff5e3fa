package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.observe.DesiredStatePopulator.Trigger;
import dev.mooring.attachdetach.state.ActualStateOfWorld.NodeEntry;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.ServedNamespace;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Maps queue keys to the namespaces that they serve, so that the queues are fair; "" for keys
 * without a namespace.
 */
record KeyNamespaces(StateOfWorld state, Informer<Volume> volumes) {
  Object ofTrigger(Trigger trigger) {
    return switch (trigger) {
      case Trigger.OfPod(ObjectKey pod) -> pod.namespace();
      case Trigger.OfClaim(ObjectKey claim) -> claim.namespace();
      case Trigger.OfVolume(ObjectKey volume) -> ServedNamespace.ofVolumes(volumes).apply(volume);
      case Trigger.OfNode _, Trigger.OfReport _, Trigger.OfDriver _, Trigger.OfPlugins _ -> "";
    };
  }

  Object ofVolume(VolumeReconciler.QueueKey key) {
    String used = state.desired().namespace(key.volume());
    return used.isEmpty() ? ofClaim(key) : used;
  }

  Object ofVolume(VolumeNode at) {
    return ofVolume(new VolumeReconciler.QueueKey(at.volume(), at.node()));
  }

  private Object ofClaim(VolumeReconciler.QueueKey key) {
    Stream<String> nodes =
        key.isAllNodes()
            ? state.actual().entries(key.volume()).stream().map(NodeEntry::node)
            : Stream.of(key.node());
    return nodes
        .flatMap(node -> Optional.ofNullable(state.actual().target(key.volume(), node)).stream())
        .findFirst()
        .filter(target -> !target.isInline())
        .map(AttachTarget::persistentVolume)
        .map(ObjectKey::cluster)
        .map(ServedNamespace.ofVolumes(volumes))
        .orElse("");
  }
}
