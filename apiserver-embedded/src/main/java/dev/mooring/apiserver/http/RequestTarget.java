package dev.mooring.apiserver.http;

import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.util.List;

/**
 * What of which resource a request is about.
 *
 * @param type the resource
 * @param namespace "" for none, or all
 * @param name "" for all of them
 * @param subresource "" for the resource itself
 * @param isOldWatch whether it was asked by one of the old /watch/ paths
 */
record RequestTarget(
    ResourceType type, String namespace, String name, String subresource, boolean isOldWatch) {
  boolean isCollection() {
    return name.isEmpty();
  }

  /** 405 for what is made, not changed. */
  void requireWritable() throws Problem {
    if (isCollection() || List.of("binding", "eviction", "token").contains(subresource)) {
      throw Problem.methodNotAllowed();
    }
  }
}
