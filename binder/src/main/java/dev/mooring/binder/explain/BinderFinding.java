package dev.mooring.binder.explain;

import dev.mooring.binder.decide.Reason;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;

/**
 * Reason for the state of one object, and its next step.
 *
 * @param message the reason with the names and figures of this object
 * @param hasCandidates whether the evidence lists objects that the object could be bound to
 */
record BinderFinding(Reason reason, String message, NextStep next, boolean hasCandidates) {
  static BinderFinding of(Reason reason, String message, NextStep next) {
    return new BinderFinding(reason, message, next, false);
  }

  /** Creates the finding that no controller acts before a person has followed the remedy. */
  static BinderFinding forPerson(Reason reason, String message) {
    return of(reason, message, NextStep.person(reason.remedy()));
  }

  BinderFinding withNextStep(NextStep newStep) {
    return new BinderFinding(reason, message, newStep, hasCandidates);
  }

  BinderFinding withCandidates() {
    return new BinderFinding(reason, message, next, true);
  }

  Cause cause() {
    return BinderCauses.of(reason);
  }

  boolean isForController() {
    return next.actor() == StepActor.CONTROLLER;
  }

  static NextStep controllerStep(ExpectedAction action, String target, String text) {
    return new NextStep(StepActor.CONTROLLER, action, target, text);
  }

  static NextStep controllerStep(
      ExpectedAction action, String target, String text, StepTiming timing) {
    return new NextStep(StepActor.CONTROLLER, action, target, text, timing);
  }
}
