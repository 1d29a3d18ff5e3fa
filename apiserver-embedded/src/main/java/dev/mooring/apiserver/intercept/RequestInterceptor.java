package dev.mooring.apiserver.intercept;

import dev.mooring.apiserver.kinds.model.StatusException;

/** Receives each request for a resource before the server processes it. Must be thread-safe. */
@FunctionalInterface
public interface RequestInterceptor {
  RequestInterceptor NONE = request -> {};

  /**
   * Accepts or refuses a request, before authentication.
   *
   * @throws StatusException to answer with this refusal
   */
  void beforeRequest(ReceivedRequest request) throws StatusException;
}
