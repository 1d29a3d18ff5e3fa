package dev.mooring.storage;

import dev.mooring.reconcile.ControllerSpec;

/**
 * Provisions by the external-provisioner protocol in whatever storage it is given: who knows a
 * storage need not know who follows the protocol.
 */
@FunctionalInterface
public interface StorageProvisioner {
  /** The controller that provisions in that storage, to be run once; it does nothing yet. */
  ControllerSpec in(ProvisionedStorage storage);
}
