package dev.mooring.selinux.decide;

/**
 * What makes two pods' volumes the same one.
 *
 * @param plugin the plugin that mounts it
 * @param name the name that the plugin knows it by
 */
public record VolumeKey(String plugin, String name) {}
