package dev.mooring.apiserver.intercept;

import java.util.Set;

/**
 * A request for a resource.
 *
 * @param verb get, list, watch, create, update, patch, delete or deletecollection
 * @param group the API group; "" for core
 * @param resource the plural name, with its subresource: {@code pods}, {@code pods/status}
 * @param namespace "" for cluster-scoped objects and for all namespaces
 * @param name "" for collections
 * @param userAgent the client's header User-Agent; "" if it is absent
 */
public record ReceivedRequest(
    String verb, String group, String resource, String namespace, String name, String userAgent) {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /** Returns whether the request changes objects. */
  public boolean isWrite() {
    return !READS.contains(verb);
  }
}
