package bad.mooring.console;

import bad.mooring.binder.decide.BadDecision;

/** R4: contains a rule of its own. */
class BadConsole {
  String text(BadDecision decision) {
    return decision.toString();
  }
}
