package dev.mooring.kube;

/**
 * Is told of every request that was sent, for {@code rest_client_requests_total} and {@code
 * rest_client_request_duration_seconds}. Called on the thread that sent it; it must be quick and
 * must not throw.
 */
@FunctionalInterface
public interface RequestListener {
  RequestListener NONE = (method, code, nanos) -> {};

  /**
   * A request has its answer, or will have none. The credentials' second try is one of its own.
   *
   * @param method GET, POST, PATCH, DELETE
   * @param code the answer's status code, -1 if there was none
   * @param nanos from the sending to the head of the answer; -1 for a watch, which the server may
   *     answer when there is something to tell
   */
  void sent(String method, int code, long nanos);
}
