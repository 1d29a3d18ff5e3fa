package dev.mooring.attachdetach;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.model.Kind;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Explainers of pods, VolumeAttachments and nodes. They share one pair of states of world, which
 * the first question fills.
 */
public final class AttachExplainers {
  public static final Set<Kind<?>> READS =
      Set.of(
          Kind.POD,
          Kind.CLAIM,
          Kind.VOLUME,
          Kind.NODE,
          Kind.CSI_DRIVER,
          Kind.CSI_NODE,
          Kind.ATTACHMENT);

  private AttachExplainers() {}

  /**
   * Creates the explainers for a view of the cluster.
   *
   * @param sight its pods need the indexes {@link Indexes#PODS_BY_CLAIM} and {@link
   *     AttachDetachController#PODS_BY_NODE}
   */
  public static List<Explainer> of(ClusterView sight, Time time) {
    Supplier<SnapshotStates> states = new LazyStates(sight, time);
    return List.of(
        new PodExplainer(sight, states),
        new AttachmentExplainer(sight, states),
        new NodeExplainer(sight, states));
  }

  // Fills the states of world on first use. Not thread-safe, like explainers.
  private static final class LazyStates implements Supplier<SnapshotStates> {
    private final ClusterView sight;
    private final Time time;
    private @Nullable SnapshotStates states;

    LazyStates(ClusterView sight, Time time) {
      this.sight = sight;
      this.time = time;
    }

    @Override
    public SnapshotStates get() {
      SnapshotStates made = states;
      if (made == null) {
        made = new SnapshotStates(sight, time);
        states = made;
      }
      return made;
    }
  }
}
