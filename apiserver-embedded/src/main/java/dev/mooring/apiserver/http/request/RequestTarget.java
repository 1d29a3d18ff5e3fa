package dev.mooring.apiserver.http.request;

import dev.mooring.apiserver.kinds.ResourceType;

/**
 * What of which resource a request is about.
 *
 * @param type the resource
 * @param namespace "" for none, or all
 * @param name "" for all of them
 * @param subresource "" for the resource itself
 * @param isOldWatch whether it was asked by one of the old /watch/ paths
 */
public record RequestTarget(
    ResourceType type, String namespace, String name, String subresource, boolean isOldWatch) {
  /** Whether it is about all of them. */
  public boolean isCollection() {
    return name.isEmpty();
  }
}
