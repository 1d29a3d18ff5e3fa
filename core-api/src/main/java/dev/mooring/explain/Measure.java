package dev.mooring.explain;

import java.util.Map;

/**
 * A fact with a name that an explanation rests on: how much room there is where, how many volumes a
 * node has of those that it may have, who makes volumes of a class.
 *
 * @param what the group that it belongs to, as a stable token: {@code capacity}, {@code
 *     attachments}, {@code class}, {@code provisioner}, {@link #DONE}
 * @param name its name within the group, such as a topology segment or a driver
 * @param value the fact, for people: "3 of 25"
 */
public record Measure(String what, String name, String value) {
  /** The group of what was done to the object, by the time when it was. */
  public static final String DONE = "done";

  private static final Map<String, String> TITLES =
      Map.of(
          "attachments",
          "Attached volumes",
          "capacity",
          "Capacity",
          "class",
          "The class",
          DONE,
          "Done last",
          "provisioner",
          "Its provisioner");

  /** What that group is called above its facts; its token if it has no name. */
  public static String title(String what) {
    return TITLES.getOrDefault(what, what);
  }
}
