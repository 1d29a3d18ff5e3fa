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

  private static String formatBase(Kind<?> kind) {
    return kind.group().isEmpty()
        ? "/api/" + kind.version()
        : "/apis/" + kind.group() + "/" + kind.version();
  }

  static ApiPath ofKind(Kind<?> kind) {
    return new ApiPath(formatBase(kind) + "/" + kind.plural());
  }

  // Its answer lists the kinds of the group and version.
  static ApiPath ofVersion(Kind<?> kind) {
    return new ApiPath(formatBase(kind));
  }

  static ApiPath ofCollection(Kind<?> kind, String namespace) throws ImpossibleNameException {
    if (!kind.namespaced()) {
      return ofKind(kind);
    }
    String flaw = new ObjectKey(namespace, kind.plural()).flaw();
    if (namespace.isEmpty() || !flaw.isEmpty()) {
      throw new ImpossibleNameException(
          "invalid namespace for "
              + kind
              + ": "
              + (flaw.isEmpty() ? "the namespace is empty" : flaw));
    }
    return new ApiPath(formatBase(kind) + "/namespaces/" + namespace + "/" + kind.plural());
  }

  static ApiPath ofObject(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    String flaw = key.flaw();
    if (flaw.isEmpty() && !kind.namespaced() && !key.namespace().isEmpty()) {
      flaw = "the kind is cluster-scoped, so not in namespace " + key.namespace();
    }
    if (!flaw.isEmpty()) {
      throw new ImpossibleNameException("invalid key of a " + kind + ": " + flaw);
    }
    return new ApiPath(ofCollection(kind, key.namespace()).text + "/" + key.name());
  }

  static ApiPath ofStatus(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    return new ApiPath(ofObject(kind, key).text + "/status");
  }

  static ApiPath ofCreation(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    ofObject(kind, key);
    return ofCollection(kind, key.namespace());
  }

  @Override
  public String toString() {
    return text;
  }
}
