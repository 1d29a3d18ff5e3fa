package dev.mooring.storage;

import dev.mooring.reconcile.ControllerSpec;

/**
 * Creates controllers that follow the external-provisioner protocol. Modules that know a storage
 * need not depend on the module of the protocol.
 */
@FunctionalInterface
public interface StorageProvisioner {
  ControllerSpec createController(ProvisionedStorage storage);
}
