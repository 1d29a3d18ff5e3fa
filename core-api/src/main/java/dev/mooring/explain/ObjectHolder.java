package dev.mooring.explain;

/**
 * User or finalizer that prevents the deletion or the move of an object.
 *
 * @param type stable token: {@code pod}, {@code finalizer}, {@code attachment}, {@code claim},
 *     {@code phase}
 * @param name name; {@code namespace/name} of a pod
 * @param releaseCondition owner and condition of release; "" if unknown
 */
public record ObjectHolder(String type, String name, String releaseCondition) {}
