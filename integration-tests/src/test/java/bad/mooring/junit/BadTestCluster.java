package bad.mooring.junit;

import bad.mooring.binder.decide.BadDecision;

/** R4: depends on a module of the program. */
class BadTestCluster {
  String text(BadDecision decision) {
    return decision.toString();
  }
}
