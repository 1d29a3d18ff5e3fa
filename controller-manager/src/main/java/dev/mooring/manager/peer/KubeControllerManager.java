package dev.mooring.manager.peer;

import dev.mooring.cluster.LiveReader;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Detects an active kube-controller-manager by its Lease, and reads its flags from its pods. Reads
 * only.
 */
public final class KubeControllerManager {
  public static final ObjectKey LEASE = ObjectKey.of("kube-system", "kube-controller-manager");
  private static final String POD_NAME = "kube-controller-manager";

  private final LiveReader reader;
  private final LeaderProbe leader;

  public KubeControllerManager(LiveReader reader, Time time) {
    this.reader = reader;
    this.leader = new LeaderProbe(reader, time, LEASE);
  }

  /**
   * Returns the holder of the Lease if it is active: renewed within the Lease's duration by the
   * clock of this machine, or renewed while this method waits for that duration.
   *
   * @throws IOException if the Lease cannot be read
   */
  public Optional<String> activeHolder() throws IOException, InterruptedException {
    Optional<String> holder = apparentHolder();
    return holder.isPresent() ? holder : leader.leaderByRenewal();
  }

  /**
   * Returns the holder of the Lease if it was renewed within its duration by the clock of this
   * machine.
   *
   * @throws IOException if the Lease cannot be read
   */
  public Optional<String> apparentHolder() throws IOException, InterruptedException {
    return leader.leaderByTimestamps();
  }

  public boolean isLeaseForbidden() throws InterruptedException {
    return reader.isForbidden(Kind.LEASE, LEASE);
  }

  /**
   * Returns the flags {@code --controllers} of all pods of kube-controller-manager.
   *
   * @return empty if there is no such pod, or one cannot be read: the flags are unknown
   */
  public List<ControllersFlag> flags() throws InterruptedException {
    List<ObjectKey> pods =
        reader.list(Kind.POD, LEASE.namespace()).toOptional().orElse(List.of()).stream()
            .filter(pod -> !pod.isFinished())
            .map(pod -> pod.meta().key())
            .filter(key -> key.name().equals(POD_NAME) || key.name().startsWith(POD_NAME + "-"))
            .toList();
    List<ControllersFlag> flags = new ArrayList<>();
    for (ObjectKey pod : pods) {
      Optional<ControllersFlag> flag = flag(pod);
      if (flag.isEmpty()) {
        return List.of();
      }
      flags.add(flag.get());
    }
    return flags;
  }

  private Optional<ControllersFlag> flag(ObjectKey pod) throws InterruptedException {
    List<String> words = PodCommandLine.read(reader, pod);
    return words.stream().anyMatch(word -> word.contains(POD_NAME))
        ? Optional.of(ControllersFlag.in(words))
        : Optional.empty();
  }
}
