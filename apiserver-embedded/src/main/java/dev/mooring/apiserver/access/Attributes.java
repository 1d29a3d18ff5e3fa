package dev.mooring.apiserver.access;

/**
 * What somebody wants to do.
 *
 * @param verb get, list, create…; of a path the method in lower case
 * @param group API group, "" for core
 * @param resource plural
 * @param subresource "" for the resource itself
 * @param namespace "" for none, or all
 * @param name "" for none, or all
 * @param path of what is no resource; "" for resources
 */
public record Attributes(
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path) {
  /** Of all objects of a resource, wherever they are. */
  public static Attributes of(String verb, String group, String resource) {
    return new Attributes(verb, group, resource, "", "", "", "");
  }

  /** The same of that subresource. */
  public Attributes part(String part) {
    return new Attributes(verb, group, resource, part, namespace, name, path);
  }

  /** The same in that namespace. */
  public Attributes in(String where) {
    return new Attributes(verb, group, resource, subresource, where, name, path);
  }

  /** The same of the object of that name. */
  public Attributes named(String which) {
    return new Attributes(verb, group, resource, subresource, namespace, which, path);
  }

  /** A path that is no resource. */
  public static Attributes ofPath(String verb, String path) {
    return new Attributes(verb, "", "", "", "", "", path);
  }

  /** Whether it is about a resource. */
  public boolean isResource() {
    return path.isEmpty();
  }

  /** resource, or resource/subresource. */
  public String combined() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }
}
