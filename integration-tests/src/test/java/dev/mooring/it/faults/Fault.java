package dev.mooring.it.faults;

import java.io.IOException;

/** Something that goes wrong between a controller-manager and its API server. */
public sealed interface Fault permits CallFault, ListFault, WatchFault {
  /** Whether it can befall that. */
  boolean suits(Request request);

  /** Lets it go wrong. */
  void play(Exchange exchange) throws IOException, InterruptedException;
}
