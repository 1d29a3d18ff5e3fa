package dev.mooring.model;

import java.util.Objects;

/**
 * Namespace and name of an object; unique within its kind.
 *
 * @param namespace namespace; "" for cluster-scoped kinds; never null
 * @param name name; never null
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public ObjectKey {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
  }

  public static ObjectKey cluster(String name) {
    return new ObjectKey("", name);
  }

  public static ObjectKey of(String namespace, String name) {
    return new ObjectKey(namespace, name);
  }

  /**
   * Returns why no object can have this key, with a safe quotation of the invalid part; "" if the
   * key is valid. A name or namespace must be one segment of a URL path without escapes: 1 to 253
   * characters that RFC 3986 allows there, but not {@code .} or {@code ..}. Cluster-scoped objects
   * have an empty namespace.
   *
   * <p>Call this before you read an object whose name a user wrote. Treat an object with an invalid
   * key as absent without a request; the API server cannot answer one.
   */
  public String flaw() {
    String ofName = NameRules.flaw("name", name);
    return ofName.isEmpty() && !namespace.isEmpty()
        ? NameRules.flaw("namespace", namespace)
        : ofName;
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

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
