package dev.mooring.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Read-only view of a cluster. Thread-safe. */
public interface ClusterView {
  /**
   * Returns the informer of a kind. It is empty for an unreadable kind; {@link #readError}
   * distinguishes this from a kind without objects.
   *
   * @throws IllegalArgumentException if the view does not include the kind
   */
  <T extends Resource> Informer<T> informer(Kind<T> kind);

  Optional<String> readError(Kind<?> kind);

  LiveReader reader();

  EventReader events();

  LoadedPlugins plugins();

  default List<UnreadableKind> openQuestions(Map<Kind<?>, String> questions) {
    List<UnreadableKind> unreadableKinds = new ArrayList<>();
    questions.forEach((kind, question) ->
        readError(kind)
            .ifPresent(error -> unreadableKinds.add(new UnreadableKind(kind, error, question))));
    return unreadableKinds;
  }
}
