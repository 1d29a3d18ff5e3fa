package dev.mooring.explain;

/**
 * Next step if no person changes anything.
 *
 * @param target object of the step, for example the name of a volume; "" for none
 * @param text predicate for the actor: "binds it to volume pv-1"
 */
public record NextStep(
    StepActor actor, ExpectedAction action, String target, String text, StepTiming timing) {
  public static final NextStep NOTHING =
      new NextStep(StepActor.NONE, ExpectedAction.NONE, "", "no further step is needed");

  /** Creates a step. Its time is known only for the volume controller: at once. */
  public NextStep(StepActor actor, ExpectedAction action, String target, String text) {
    this(
        actor,
        action,
        target,
        text,
        actor == StepActor.CONTROLLER ? StepTiming.AT_ONCE : StepTiming.OPEN);
  }

  public static NextStep person(String text) {
    return new NextStep(StepActor.PERSON, ExpectedAction.NONE, "", text);
  }

  public String sentence() {
    return switch (actor) {
      case NONE -> text;
      case PERSON -> "no controller acts: " + text;
      case CONTROLLER, SNAPSHOT_CONTROLLER, SCHEDULER, KUBELET, PROVISIONER, DRIVER ->
          actor.displayName() + " " + text;
    };
  }
}
