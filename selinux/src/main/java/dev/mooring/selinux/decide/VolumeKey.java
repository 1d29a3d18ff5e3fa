package dev.mooring.selinux.decide;

/**
 * Identity of a volume: two pods with equal keys share storage.
 *
 * @param plugin name of the volume plugin
 * @param name unique name within the plugin
 */
public record VolumeKey(String plugin, String name) {}
