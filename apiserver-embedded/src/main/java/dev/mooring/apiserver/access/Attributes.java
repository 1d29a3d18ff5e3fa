package dev.mooring.apiserver.access;

/**
 * The attributes of a request that authorization decides on.
 *
 * @param verb get, list, create…; for a path the HTTP method in lower case
 * @param group the API group; "" for core
 * @param resource the plural name
 * @param subresource "" for the resource itself
 * @param namespace "" for none or all
 * @param name "" for none or all
 * @param path the path of a non-resource request; "" for resources
 */
public record Attributes(
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path) {
  public static Attributes of(String verb, String group, String resource) {
    return new Attributes(verb, group, resource, "", "", "", "");
  }

  public Attributes withSubresource(String newSubresource) {
    return new Attributes(verb, group, resource, newSubresource, namespace, name, path);
  }

  public Attributes inNamespace(String newNamespace) {
    return new Attributes(verb, group, resource, subresource, newNamespace, name, path);
  }

  public Attributes withName(String newName) {
    return new Attributes(verb, group, resource, subresource, namespace, newName, path);
  }

  public static Attributes ofPath(String verb, String path) {
    return new Attributes(verb, "", "", "", "", "", path);
  }

  public boolean isResource() {
    return path.isEmpty();
  }

  public String qualifiedResource() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }
}
