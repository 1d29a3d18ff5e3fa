package dev.mooring.model;

import java.util.Map;

/**
 * A VolumeAttributesClass.
 *
 * @param meta name, version, finalizers
 * @param driver the driver that it is for
 * @param parameters what the driver is told
 */
public record AttributesClass(Meta meta, String driver, Map<String, String> parameters)
    implements Resource {}
