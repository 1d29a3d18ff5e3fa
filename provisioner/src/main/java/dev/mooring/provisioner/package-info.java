/**
 * External-provisioner protocol: creates volumes for claims that name one of Mooring's
 * provisioners, and deletes them after release, beside any binder. Follows
 * sig-storage-lib-external-provisioner. A {@link dev.mooring.storage.VolumeService} represents the
 * storage. Depends on core-api only.
 */
@NullMarked
package dev.mooring.provisioner;

import org.jspecify.annotations.NullMarked;
