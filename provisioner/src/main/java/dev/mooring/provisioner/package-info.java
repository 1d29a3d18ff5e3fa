/**
 * The external-provisioner protocol: makes volumes for claims that name one of our provisioners,
 * and destroys them when they are released, beside whoever binds (spec/provisioner-lib.md). What
 * the storage is, a {@link dev.mooring.storage.VolumeService} knows. May see core-api.
 */
@NullMarked
package dev.mooring.provisioner;

import org.jspecify.annotations.NullMarked;
