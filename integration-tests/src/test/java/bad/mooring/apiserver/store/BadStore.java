package bad.mooring.apiserver.store;

import bad.mooring.apiserver.http.read.BadRead;

/** R15: calls a step from below all steps. */
class BadStore {
  BadRead read() {
    return new BadRead();
  }
}
