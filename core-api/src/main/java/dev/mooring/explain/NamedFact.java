package dev.mooring.explain;

import java.util.Map;

/**
 * Named fact of an explanation: free capacity, attached volumes and limit of a node, provisioner of
 * a class.
 *
 * @param group stable token of the group: {@code capacity}, {@code attachments}, {@code class},
 *     {@code provisioner}, {@code snapshot}, {@link #DONE}
 * @param name name within the group, for example a topology segment or a driver
 * @param value text, for example "3 of 25"
 */
public record NamedFact(String group, String name, String value) {
  /** Group of names that a misspelled name is near to; the name is a kind, the value a name. */
  public static final String HINT = "hint";

  public static final String WAITING_PODS = "pods";

  /** Group of past actions on the object; names are times. */
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
          HINT,
          "Did you mean",
          WAITING_PODS,
          "Pods that wait for it",
          "provisioner",
          "Its provisioner",
          "snapshot",
          "The snapshot");

  public static String title(String group) {
    return TITLES.getOrDefault(group, group);
  }
}
