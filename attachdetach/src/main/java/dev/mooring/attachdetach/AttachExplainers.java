package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.explain.AttachmentExplainer;
import dev.mooring.attachdetach.explain.NodeExplainer;
import dev.mooring.attachdetach.explain.PodExplainer;
import dev.mooring.attachdetach.explain.SnapshotStates;
import dev.mooring.attachdetach.observe.SnapshotReader;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Map;
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

  private static SnapshotStates read(ClusterView sight, Time time) {
    AttachCaches caches =
        new AttachCaches(
            sight.informer(Kind.POD),
            sight.informer(Kind.CLAIM),
            sight.informer(Kind.VOLUME),
            sight.informer(Kind.NODE),
            sight.informer(Kind.CSI_DRIVER),
            sight.informer(Kind.ATTACHMENT));
    VolumeResolver resolver = new VolumeResolver(caches, sight.plugins());
    StateOfWorld state = new StateOfWorld();
    Map<VolumeNode, Attachment> attachments = new SnapshotReader(caches, resolver, state).read();
    AttachViews views = new AttachViews(caches, state, (volume, node) -> Running.NOTHING, time);
    return new SnapshotStates(sight, resolver, views, attachments);
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
      if (states == null) {
        states = read(sight, time);
      }
      return states;
    }
  }
}
