package dev.mooring.attachdetach;

import dev.mooring.explain.Explainer;
import dev.mooring.explain.Sight;
import dev.mooring.model.Kind;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who explains what has to do with attaching: pods, VolumeAttachments and nodes. All look at the
 * same worlds, which are filled when the first of them is asked.
 */
public final class AttachExplainers {
  /** The kinds that they look at. */
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
   * Over what is in sight now.
   *
   * @param sight its pods have {@link Indexes#PODS_BY_CLAIM} and {@link
   *     AttachDetachController#PODS_BY_NODE}
   * @param time the clock
   */
  public static List<Explainer> of(Sight sight, Time time) {
    Supplier<SeenWorlds> worlds = new Once(sight, time);
    return List.of(
        new PodExplainer(sight, worlds),
        new AttachmentExplainer(sight, worlds),
        new NodeExplainer(sight, worlds));
  }

  /** Fills the worlds when they are asked for first. For one thread, as explainers are. */
  private static final class Once implements Supplier<SeenWorlds> {
    private final Sight sight;
    private final Time time;
    private @Nullable SeenWorlds worlds;

    Once(Sight sight, Time time) {
      this.sight = sight;
      this.time = time;
    }

    @Override
    public SeenWorlds get() {
      SeenWorlds made = worlds;
      if (made == null) {
        made = new SeenWorlds(sight, time);
        worlds = made;
      }
      return made;
    }
  }
}
