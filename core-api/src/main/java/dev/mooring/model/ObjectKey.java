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
