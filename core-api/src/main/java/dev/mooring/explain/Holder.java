package dev.mooring.explain;

/**
 * Something that keeps an object from going, or from being taken elsewhere.
 *
 * @param what a stable token: {@code pod}, {@code finalizer}, {@code attachment}, {@code claim},
 *     {@code phase}
 * @param name its name; of a pod with its namespace
 * @param note whose it is and when it lets go, for people; "" if that is not known
 */
public record Holder(String what, String name, String note) {}
