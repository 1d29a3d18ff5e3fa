package dev.mooring.attachdetach.state;

import dev.mooring.model.ObjectKey;

/** Change that the populator of the desired state of world must apply. */
public sealed interface Trigger {
  record OfPod(ObjectKey key) implements Trigger {}

  record OfClaim(ObjectKey key) implements Trigger {}

  record OfVolume(ObjectKey key) implements Trigger {}

  record OfNode(String name) implements Trigger {}

  // the list of attached volumes in a node's status
  record OfReport(String node) implements Trigger {}

  record OfDriver(String name) implements Trigger {}

  // plugins were loaded, or may now answer questions that they left open
  record OfPlugins() implements Trigger {}
}
