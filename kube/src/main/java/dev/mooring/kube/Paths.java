package dev.mooring.kube;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/** Where resources are. */
final class Paths {
  private Paths() {}

  private static String base(String group, String version) {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
  }

  static String all(Kind<?> kind) {
    return base(kind.group(), kind.version()) + "/" + kind.plural();
  }

  static String collection(Kind<?> kind, String namespace) {
    return base(kind.group(), kind.version())
        + (kind.namespaced() ? "/namespaces/" + namespace : "")
        + "/"
        + kind.plural();
  }

  static String object(Kind<?> kind, ObjectKey key) {
    return collection(kind, key.namespace()) + "/" + key.name();
  }
}
