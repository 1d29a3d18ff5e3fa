package dev.mooring.csi.decide;

/**
 * Where credentials are.
 *
 * @param namespace the Secret's namespace
 * @param name its name
 */
public record SecretRef(String namespace, String name) {}
