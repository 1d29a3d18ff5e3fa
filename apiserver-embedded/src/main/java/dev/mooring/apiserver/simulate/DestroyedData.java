package dev.mooring.apiserver.simulate;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.ResourceType;

/**
 * Volume or snapshot whose data a driver would have destroyed.
 *
 * @param object the PersistentVolume, VolumeSnapshotContent or VolumeGroupSnapshotContent before
 *     its deletion
 * @param driver name of the provisioner or driver
 * @param cause clause that follows "because"
 */
public record DestroyedData(ResourceType type, JsonObject object, String driver, String cause) {}
