package dev.mooring.manager.lifecycle;

import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.DeletionBreaker;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes what resuming the deletions of this process would destroy.
 *
 * @param gate open while this process leads
 */
record HeldDeletions(
    KubeConnection connection,
    ManagerConfig config,
    WriteGate gate,
    DeletionBreaker breaker,
    SharedInformers informers) {
  private static final int SHOWN = 5;
  private static final String REMEDY = "; deletions are held";

  /** Returns lines of a name and a text: cluster, leader, held, volumes. */
  String describe() {
    return "cluster  %s\nleader   %s\nheld     %s\nvolumes  %s\n"
        .formatted(connection.address(), leader(), hold(), volumes());
  }

  private String leader() {
    return config
        .election()
        .map(election ->
            gate.isOpen()
                ? "this process: %s holds Lease %s".formatted(election.identity(), election.lease())
                : "another process holds Lease %s; this one stands by".formatted(election.lease()))
        .orElse("this process, without leader election");
  }

  private String hold() {
    if (!breaker.isHolding()) {
      return "nothing";
    }
    String text = breaker.describeHold();
    int end = text.indexOf(REMEDY);
    return "all deletions: " + (end < 0 ? text : text.substring(0, end));
  }

  private String volumes() {
    List<String> names = new ArrayList<>();
    for (Volume volume : informers.of(Kind.VOLUME).snapshot().objects()) {
      if (volume.phase() == VolumePhase.RELEASED
          && volume.reclaimPolicy() == ReclaimPolicy.DELETE) {
        names.add(volume.meta().name());
      }
    }
    names.sort(null);
    String suffix = names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "";
    return names.isEmpty()
        ? "no Released volume has the reclaim policy Delete"
        : "%d Released with the reclaim policy Delete: %s%s"
            .formatted(
                names.size(),
                String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))),
                suffix);
  }
}
