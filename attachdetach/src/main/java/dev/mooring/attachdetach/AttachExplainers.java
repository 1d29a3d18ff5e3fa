package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.NodeView.Operation;
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
   * @param clusterView its pods need the indexes {@link Indexes#PODS_BY_CLAIM} and {@link
   *     AttachDetachController#PODS_BY_NODE}
   */
  public static List<Explainer> of(ClusterView clusterView, Time time) {
    Supplier<SnapshotStates> states = new LazyStates(clusterView, time);
    return List.of(
        new PodExplainer(clusterView, states),
        new AttachmentExplainer(clusterView, states),
        new NodeExplainer(clusterView, states));
  }

  private static SnapshotStates createStates(ClusterView clusterView, Time time) {
    AttachCaches caches =
        new AttachCaches(
            clusterView.informer(Kind.POD),
            clusterView.informer(Kind.CLAIM),
            clusterView.informer(Kind.VOLUME),
            clusterView.informer(Kind.NODE),
            clusterView.informer(Kind.CSI_DRIVER),
            clusterView.informer(Kind.ATTACHMENT));
    VolumeResolver resolver = new VolumeResolver(caches, clusterView.plugins());
    StateOfWorld state = new StateOfWorld();
    Map<VolumeNode, Attachment> attachments = new SnapshotReader(caches, resolver, state).read();
    AttachViews views = new AttachViews(caches, state, (volume, node) -> Operation.NONE, time);
    return new SnapshotStates(clusterView, resolver, views, attachments);
  }

  // Fills the states of world on first use. Not thread-safe, like explainers.
  private static final class LazyStates implements Supplier<SnapshotStates> {
    private final ClusterView clusterView;
    private final Time time;
    private @Nullable SnapshotStates states;

    LazyStates(ClusterView clusterView, Time time) {
      this.clusterView = clusterView;
      this.time = time;
    }

    @Override
    public SnapshotStates get() {
      if (states == null) {
        states = createStates(clusterView, time);
      }
      return states;
    }
  }
}
