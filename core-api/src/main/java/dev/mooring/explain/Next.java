package dev.mooring.explain;

/**
 * What happens next if nobody changes anything else.
 *
 * @param by who does it
 * @param action what is done
 * @param target on what, such as the name of a volume; "" for nothing in particular
 * @param text the same for people, without who does it: "binds it to volume pv-1"
 * @param timing when
 */
public record Next(Actor by, Action action, String target, String text, Timing timing) {
  /** Nothing is left to be done. */
  public static final Next NOTHING =
      new Next(Actor.NOBODY, Action.NONE, "", "nothing is left to be done");

  /** Of the volume controller at once; when others do something cannot be told. */
  public Next(Actor by, Action action, String target, String text) {
    this(by, action, target, text, by == Actor.CONTROLLER ? Timing.AT_ONCE : Timing.OPEN);
  }

  /** Nothing happens before somebody does that. */
  public static Next person(String text) {
    return new Next(Actor.PERSON, Action.NONE, "", text);
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
