package dev.mooring.kube;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * Path at an API server. Only this class puts names into addresses: every request takes an ApiPath,
 * and none can be created from a name that is more than one path segment.
 */
final class ApiPath {
  static final ApiPath METRICS = new ApiPath("/metrics");
  static final ApiPath VERSION = new ApiPath("/version");

  private final String text;

  private ApiPath(String text) {
    this.text = text;
  }

  private static String base(Kind<?> kind) {
    return kind.group().isEmpty()
        ? "/api/" + kind.version()
        : "/apis/" + kind.group() + "/" + kind.version();
  }

  static ApiPath all(Kind<?> kind) {
    return new ApiPath(base(kind) + "/" + kind.plural());
  }

  static ApiPath collection(Kind<?> kind, String namespace) throws ImpossibleNameException {
    if (!kind.namespaced()) {
      return all(kind);
    }
    String flaw = new ObjectKey(namespace, kind.plural()).flaw();
    if (namespace.isEmpty() || !flaw.isEmpty()) {
      throw new ImpossibleNameException(
          "invalid namespace for "
              + kind
              + ": "
              + (flaw.isEmpty() ? "the namespace is empty" : flaw));
    }
    return new ApiPath(base(kind) + "/namespaces/" + namespace + "/" + kind.plural());
  }

  static ApiPath object(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    String flaw = key.flaw();
    if (flaw.isEmpty() && !kind.namespaced() && !key.namespace().isEmpty()) {
      flaw = "the kind is cluster-scoped, so not in namespace " + key.namespace();
    }
    if (!flaw.isEmpty()) {
      throw new ImpossibleNameException("invalid key of a " + kind + ": " + flaw);
    }
    return new ApiPath(collection(kind, key.namespace()).text + "/" + key.name());
  }

  static ApiPath status(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    return new ApiPath(object(kind, key).text + "/status");
  }

  static ApiPath collectionFor(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    object(kind, key);
    return collection(kind, key.namespace());
  }

  @Override
  public String toString() {
    return text;
  }
}
