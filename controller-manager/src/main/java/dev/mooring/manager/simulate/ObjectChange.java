package dev.mooring.manager.simulate;

/**
 * Change of an object.
 *
 * @param kind for example persistentvolumeclaim
 * @param key name, or namespace/name
 * @param text state before and after
 */
public record ObjectChange(String kind, String key, String text) {}
