package dev.mooring.provisioner.execute;

/**
 * An attempt to provision a volume, as metrics count it.
 *
 * @param source kind of the object that the volume is filled from; "" for none
 * @param startNanos start time from {@link ProvisionStats#currentNanos}
 */
record ProvisionAttempt(String className, String source, long startNanos) {}
