package dev.mooring.kube.http;

import java.io.IOException;
import java.time.Duration;

/** Sends calls to one API server. Thread-safe. */
public sealed interface ApiCalls permits DirectCalls, LibraryCalls {
  /**
   * Sends a request and returns its response. Redirects are not followed.
   *
   * @param authorization value of the header; "" for none
   * @param limit longest time until the end of the response's body
   */
  ApiResponse execute(ApiRequest request, String authorization, Duration limit) throws IOException;

  /** Uses new connections for further calls; present calls continue. */
  void retireConnections();

  /** Ends the connections of calls that have received nothing for the duration. */
  void abandonSilentCalls(Duration silence);

  void cancelAll();
}
