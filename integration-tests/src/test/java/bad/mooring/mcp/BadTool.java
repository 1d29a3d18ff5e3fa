package bad.mooring.mcp;

import bad.mooring.binder.decide.BadDecision;

/** R7: depends on the cluster. */
class BadTool {
  String text(BadDecision decision) {
    return decision.toString();
  }
}
