package dev.mooring.manager.explain;

import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.text.NameSuggestion;
import java.util.ArrayList;
import java.util.List;

/** Finds the objects that a user may mean by the name of an object that does not exist. */
record NearbyNames(ListedClusterView.Source source) {
  private static final int MAX_NAMESPACES = 3;

  /** Returns a phrase for the end of a message; empty if nothing is near or listed. */
  String describe(Kind<?> kind, ObjectKey missing) throws InterruptedException {
    List<ObjectKey> keys = list(kind);
    List<String> namespaces =
        keys.stream()
            .filter(key -> key.name().equals(missing.name()) && !key.equals(missing))
            .map(ObjectKey::namespace)
            .sorted()
            .limit(MAX_NAMESPACES)
            .toList();
    if (!namespaces.isEmpty()) {
      return "; did you mean "
          + missing.name()
          + " in namespace "
          + String.join(" or ", namespaces)
          + "?";
    }
    List<String> names =
        keys.stream()
            .filter(key -> key.namespace().equals(missing.namespace()))
            .map(ObjectKey::name)
            .toList();
    return NameSuggestion.to(missing.name(), names)
        .map(name -> "; did you mean \"" + name + "\"?")
        .orElse(kind.namespaced() && keys.isEmpty() ? " (it may be in another namespace)" : "");
  }

  private <T extends Resource> List<ObjectKey> list(Kind<T> kind) throws InterruptedException {
    List<ObjectKey> keys = new ArrayList<>();
    try {
      KubeListWatch.once(source.connection(), kind).list(object -> keys.add(object.key()));
    } catch (ListWatchException unreadable) {
      return List.of(); // without the right to list, there is no suggestion
    }
    return keys;
  }
}
