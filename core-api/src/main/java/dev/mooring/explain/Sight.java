package dev.mooring.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.storage.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be seen of a cluster. Thread-safe. */
public interface Sight {
  /**
   * What is known of a kind. Of one that could not be read nothing is known, which {@link #unseen}
   * tells apart from there being none.
   *
   * @throws IllegalArgumentException if the kind was never asked for
   */
  <T extends Resource> Informer<T> informer(Kind<T> kind);

  /** Why a kind could not be read, on one line; empty if it was read. */
  Optional<String> unseen(Kind<?> kind);

  /** Asks the server what no list may answer. */
  LiveReader reader();

  /** Asks the server what was said of an object in events. */
  EventReader events();

  /** The plugins that the cluster's controllers are taken to have. */
  Plugins plugins();

  /**
   * What is left open by kinds that could not be read.
   *
   * @param open what each of these kinds would have told
   */
  default List<Unseen> leftOpen(Map<Kind<?>, String> open) {
    List<Unseen> all = new ArrayList<>();
    open.forEach(
        (kind, what) -> unseen(kind).ifPresent(why -> all.add(new Unseen(kind, why, what))));
    return all;
  }
}
