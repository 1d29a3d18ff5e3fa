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
