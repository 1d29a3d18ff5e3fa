package dev.mooring.apiserver.http.request;

import dev.mooring.apiserver.kinds.model.ResourceType;

/**
 * The resource that a request addresses.
 *
 * @param namespace "" for none or all
 * @param name "" for a collection
 * @param subresource "" for the main resource
 * @param isOldWatch true for a deprecated /watch/ path
 */
public record RequestTarget(
    ResourceType type, String namespace, String name, String subresource, boolean isOldWatch) {
  public boolean isCollection() {
    return name.isEmpty();
  }
}
