package bad.mooring.mcp;

import bad.mooring.binder.decide.BadDecision;

/** Knows what it tells of: R7. */
class BadTool {
  String text(BadDecision decision) {
    return decision.toString();
  }
}
