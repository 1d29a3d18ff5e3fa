package dev.mooring.kube;

/**
 * Observes every request, for {@code rest_client_requests_total} and {@code
 * rest_client_request_duration_seconds}. Called on the sending thread; must be quick and must not
 * throw.
 */
@FunctionalInterface
public interface RequestListener {
  RequestListener NONE = (method, code, nanos) -> {};

  /**
   * Reports a request that has a response or has failed. A retry with new credentials is a separate
   * request.
   *
   * @param method GET, POST, PATCH, DELETE
   * @param code status code of the response; -1 without a response
   * @param nanos time to the response's headers; -1 for a watch, whose response may wait for an
   *     event
   */
  void sent(String method, int code, long nanos);
}
