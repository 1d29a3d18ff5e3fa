package dev.mooring.model;

import java.util.Objects;

/**
 * What names an object within its kind.
 *
 * @param namespace the namespace, or "" for cluster-scoped kinds; never null
 * @param name the object's name; never null
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public ObjectKey {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
  }

  /** The key of a cluster-scoped object. */
  public static ObjectKey cluster(String name) {
    return new ObjectKey("", name);
  }

  /** The key of a namespaced object. */
  public static ObjectKey of(String namespace, String name) {
    return new ObjectKey(namespace, name);
  }

  /**
   * Why no object can have this key, in a few words that quote the part at fault safely; "" if one
   * can. A name or namespace is one segment of a URL's path as it stands, without escapes: the
   * characters that RFC 3986 allows there, 1 to 253 of them, and not {@code .} or {@code ..}. An
   * empty namespace is that of cluster-scoped objects. Whatever a tenant may write where a name is
   * expected is asked this before it is looked up: an object with an impossible name is not merely
   * absent, the server cannot be asked for it.
   */
  public String flaw() {
    String ofName = Names.flaw("name", name);
    return ofName.isEmpty() && !namespace.isEmpty() ? Names.flaw("namespace", namespace) : ofName;
  }

  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  /**
   * {@code namespace/name}, or {@code name} alone for cluster-scoped objects: the form that
   * Kubernetes logs.
   */
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
