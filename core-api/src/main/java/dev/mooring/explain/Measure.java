package dev.mooring.explain;

/**
 * A fact with a name that an explanation rests on: how much room there is where, how many volumes a
 * node has of those that it may have, who makes volumes of a class.
 *
 * @param what the group that it belongs to, as a stable token: {@code capacity}, {@code
 *     attachments}, {@code class}, {@code provisioner}
 * @param name its name within the group, such as a topology segment or a driver
 * @param value the fact, for people: "3 of 25"
 */
public record Measure(String what, String name, String value) {}
