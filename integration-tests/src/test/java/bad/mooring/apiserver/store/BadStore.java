package bad.mooring.apiserver.store;

import bad.mooring.apiserver.http.read.BadRead;

/** Is below every step, and knows one: R15. */
class BadStore {
  BadRead read() {
    return new BadRead();
  }
}
