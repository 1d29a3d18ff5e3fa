package dev.mooring.attachdetach.state;

import dev.mooring.model.ObjectKey;

/** Change that the populator of the desired state of world must apply. */
public sealed interface PopulatorTrigger {
  record OfPod(ObjectKey key) implements PopulatorTrigger {
    @Override
    public String toString() {
      return "pod " + key;
    }
  }

  record OfClaim(ObjectKey key) implements PopulatorTrigger {
    @Override
    public String toString() {
      return "claim " + key;
    }
  }

  record OfVolume(ObjectKey key) implements PopulatorTrigger {
    @Override
    public String toString() {
      return "volume " + key;
    }
  }

  record OfNode(String name) implements PopulatorTrigger {
    @Override
    public String toString() {
      return "node " + name;
    }
  }

  // the list of attached volumes in a node's status
  record OfStatusList(String node) implements PopulatorTrigger {
    @Override
    public String toString() {
      return "list of node " + node;
    }
  }

  record OfDriver(String name) implements PopulatorTrigger {
    @Override
    public String toString() {
      return "driver " + name;
    }
  }

  // plugins were loaded, or may now answer questions that they left open
  record OfPlugins() implements PopulatorTrigger {
    @Override
    public String toString() {
      return "plugins";
    }
  }
}
