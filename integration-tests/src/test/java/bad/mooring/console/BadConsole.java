package bad.mooring.console;

import bad.mooring.binder.decide.BadDecision;

/** Has a rule of its own: R4. */
class BadConsole {
  String text(BadDecision decision) {
    return decision.toString();
  }
}
