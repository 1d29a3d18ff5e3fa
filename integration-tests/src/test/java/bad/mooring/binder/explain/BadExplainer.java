package bad.mooring.binder.explain;

import bad.mooring.binder.execute.BadExecutor;

/** R3: an explanation that executes. */
final class BadExplainer {
  void explain(BadExecutor executor) {
    executor.act();
  }
}
