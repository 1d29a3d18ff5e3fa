package dev.mooring.kube;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * Where something is at an API server. The only place in which a name becomes part of an address:
 * every request takes one of these, and none can be made of a name that is more than one segment.
 */
final class ApiPath {
  static final ApiPath METRICS = new ApiPath("/metrics");

  private final String text;

  private ApiPath(String text) {
    this.text = text;
  }

  private static String base(Kind<?> kind) {
    return kind.group().isEmpty()
        ? "/api/" + kind.version()
        : "/apis/" + kind.group() + "/" + kind.version();
  }

  /** Every object of the kind, in all namespaces. */
  static ApiPath all(Kind<?> kind) {
    return new ApiPath(base(kind) + "/" + kind.plural());
  }

  /**
   * The objects of the kind in a namespace; those of a cluster-scoped kind are in none.
   *
   * @throws ImpossibleNameException if nothing can be in such a namespace
   */
  static ApiPath collection(Kind<?> kind, String namespace) throws ImpossibleNameException {
    if (!kind.namespaced()) {
      return all(kind);
    }
    String flaw = new ObjectKey(namespace, kind.plural()).flaw();
    if (namespace.isEmpty() || !flaw.isEmpty()) {
      throw new ImpossibleNameException(
          "there can be no such "
              + kind
              + ": "
              + (flaw.isEmpty() ? "the namespace is empty" : flaw));
    }
    return new ApiPath(base(kind) + "/namespaces/" + namespace + "/" + kind.plural());
  }

  /**
   * One object.
   *
   * @throws ImpossibleNameException if no object of the kind can have that key
   */
  static ApiPath object(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    String flaw = key.flaw();
    if (flaw.isEmpty() && !kind.namespaced() && !key.namespace().isEmpty()) {
      flaw = "it has no namespace, so not " + key.namespace();
    }
    if (!flaw.isEmpty()) {
      throw new ImpossibleNameException("there can be no such " + kind + ": " + flaw);
    }
    return new ApiPath(collection(kind, key.namespace()).text + "/" + key.name());
  }

  /**
   * The status of one object.
   *
   * @throws ImpossibleNameException if no object of the kind can have that key
   */
  static ApiPath status(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    return new ApiPath(object(kind, key).text + "/status");
  }

  /**
   * Where an object of that key is created.
   *
   * @throws ImpossibleNameException if no object of the kind can have that key
   */
  static ApiPath collectionFor(Kind<?> kind, ObjectKey key) throws ImpossibleNameException {
    object(kind, key);
    return collection(kind, key.namespace());
  }

  @Override
  public String toString() {
    return text;
  }
}
