package dev.mooring.it.faults;

import java.io.IOException;

/** Something that goes wrong between a controller-manager and its API server. */
public sealed interface InjectedFault permits CallFault, ListFault, WatchFault {
  /** Whether it can befall that. */
  boolean suits(Request request);

  /** Whether the server does what it was asked to, and who asked does not know. */
  default boolean isDoneWithoutAnswer() {
    return false;
  }

  /** Lets it go wrong. */
  void play(ProxiedExchange exchange) throws IOException, InterruptedException;
}
