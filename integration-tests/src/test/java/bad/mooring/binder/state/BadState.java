package bad.mooring.binder.state;

import bad.mooring.binder.execute.BadExecutor;

/** R3: state that triggers work. */
final class BadState {
  void remember(BadExecutor executor) {
    executor.act();
  }
}
