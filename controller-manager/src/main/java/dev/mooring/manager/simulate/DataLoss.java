package dev.mooring.manager.simulate;

/**
 * Volume or snapshot whose data is destroyed.
 *
 * @param kind for example persistentvolume
 * @param owner kind and key of the object that it belonged to, for example "claim shop/data"
 * @param capacity size of a volume; "" for a snapshot
 * @param className class; "" if none
 * @param cause why it is destroyed
 */
public record DataLoss(
    String kind,
    String name,
    String owner,
    String capacity,
    String className,
    String driver,
    String cause) {}
