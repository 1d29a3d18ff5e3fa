package dev.mooring.informer;

import dev.mooring.model.Resource;
import java.util.List;

/** Lists that an informer receives after its watch missed changes. */
public final class InformerLists {
  private InformerLists() {}

  /** Replaces the cached objects, as a list after an interrupted watch does. */
  public static <T extends Resource> void relist(Informer<T> informer, List<T> objects) {
    informer.replaceAll(objects, informer.watchedVersion() + 1, informer.startList());
  }
}
