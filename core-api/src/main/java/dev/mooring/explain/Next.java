package dev.mooring.explain;

/**
 * Next step if no person changes anything.
 *
 * @param target object of the step, for example the name of a volume; "" for none
 * @param text predicate for the actor: "binds it to volume pv-1"
 */
public record Next(Actor by, Action action, String target, String text, Timing timing) {
  public static final Next NOTHING =
      new Next(Actor.NOBODY, Action.NONE, "", "nothing is left to be done");

  /** Creates a step. Its time is known only for the volume controller: at once. */
  public Next(Actor by, Action action, String target, String text) {
    this(by, action, target, text, by == Actor.CONTROLLER ? Timing.AT_ONCE : Timing.OPEN);
  }

  public static Next person(String text) {
    return new Next(Actor.PERSON, Action.NONE, "", text);
  }

  public String sentence() {
    return switch (by) {
      case NOBODY -> text;
      case PERSON -> "nothing, before a person acts: " + text;
      case CONTROLLER, SCHEDULER, KUBELET, PROVISIONER, DRIVER -> by.words() + " " + text;
    };
  }
}
