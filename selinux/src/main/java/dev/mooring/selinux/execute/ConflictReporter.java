package dev.mooring.selinux.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PodMounts;
import dev.mooring.selinux.decide.LabelConflict;
import dev.mooring.selinux.decide.VolumeKey;
import dev.mooring.selinux.state.ReportedConflicts;
import java.util.List;

/**
 * Emits an event for each conflict once while it lasts. Thread-safe.
 *
 * @param pods a pod that is absent from the cache gets no event
 */
public record ConflictReporter(
    EventSink events, Informer<PodMounts> pods, ReportedConflicts reportedConflicts) {
  public static final String REPORTER = "selinux_warning";

  private static final String ACTION = "CheckingLabels";

  public void reportConflicts(VolumeKey volume, List<LabelConflict> conflicts) {
    for (LabelConflict conflict : reportedConflicts.replaceConflicts(volume, conflicts)) {
      emit(conflict.pod(), ClusterEvent.Type.NORMAL, conflict.reason(), conflict.message());
    }
  }

  public void reportMixedLabels(Meta pod, List<String> volumes) {
    for (String volume : reportedConflicts.replaceMixedVolumes(pod, volumes)) {
      emit(
          pod.key(),
          ClusterEvent.Type.WARNING,
          "MultipleSELinuxLabels",
          "Volume \""
              + volume
              + "\" is mounted twice with different SELinux labels inside this pod");
    }
  }

  private void emit(ObjectKey pod, ClusterEvent.Type type, String reason, String message) {
    pods.get(pod)
        .map(PodMounts::meta)
        .ifPresent(podMeta ->
            events.emit(
                new ClusterEvent(Kind.POD, podMeta, type, reason, ACTION, message, REPORTER)));
  }
}
