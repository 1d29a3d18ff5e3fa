package dev.mooring.it.faults;

import java.io.IOException;

/** A fault between a controller-manager and its API server. */
public sealed interface InjectedFault permits CallFault, ListFault, WatchFault {
  /** Returns whether the fault applies to the request. */
  boolean canApplyTo(ProxiedRequest request);

  /** Returns whether the server executes the request and the client does not get the result. */
  default boolean isExecutedWithoutResponse() {
    return false;
  }

  /** Injects the fault. */
  void inject(ProxiedExchange exchange) throws IOException, InterruptedException;
}
