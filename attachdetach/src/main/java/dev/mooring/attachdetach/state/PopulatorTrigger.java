package dev.mooring.attachdetach.state;

import dev.mooring.model.ObjectKey;

/** Change that the populator of the desired state of world must apply. */
public sealed interface PopulatorTrigger {
  record OfPod(ObjectKey key) implements PopulatorTrigger {}

  record OfClaim(ObjectKey key) implements PopulatorTrigger {}

  record OfVolume(ObjectKey key) implements PopulatorTrigger {}

  record OfNode(String name) implements PopulatorTrigger {}

  // the list of attached volumes in a node's status
  record OfStatusList(String node) implements PopulatorTrigger {}

  record OfDriver(String name) implements PopulatorTrigger {}

  // plugins were loaded, or may now answer questions that they left open
  record OfPlugins() implements PopulatorTrigger {}
}
