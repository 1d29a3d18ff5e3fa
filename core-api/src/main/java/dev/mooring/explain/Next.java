package dev.mooring.explain;

/**
 * What happens next if nobody changes anything else.
 *
 * @param by who does it
 * @param action what is done, as a stable token such as {@code bind} or {@code provision}; {@code
 *     none} where nothing is done before somebody has changed something
 * @param target on what, such as the name of a volume; "" for nothing in particular
 * @param text the same for people, without who does it: "binds it to volume pv-1"
 */
public record Next(Actor by, String action, String target, String text) {
  /** The token of "nothing happens". */
  public static final String NONE = "none";

  /** Nothing is left to be done. */
  public static final Next NOTHING = new Next(Actor.NOBODY, NONE, "", "nothing is left to be done");

  /** Nothing happens before somebody does that. */
  public static Next person(String text) {
    return new Next(Actor.PERSON, NONE, "", text);
  }

  /** The same as a sentence without its end, with who does it. */
  public String sentence() {
    return switch (by) {
      case NOBODY -> text;
      case PERSON -> "nothing, before a person acts: " + text;
      case CONTROLLER, SCHEDULER, KUBELET, PROVISIONER, DRIVER -> by.words() + " " + text;
    };
  }
}
