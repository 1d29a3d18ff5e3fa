package dev.mooring.model;

import java.util.Map;

/**
 * A VolumeAttributesClass.
 *
 * @param meta name, version, finalizers
 * @param driver name of the CSI driver
 * @param parameters mutable parameters for the driver
 */
public record AttributesClass(Meta meta, String driver, Map<String, String> parameters)
    implements Resource {}
