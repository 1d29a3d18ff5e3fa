package bad.mooring.manager;

import bad.mooring.apiserver.http.read.BadRead;

/** Does a request's step by itself, without those before it: R15. */
class BadShortcut {
  BadRead read() {
    return new BadRead();
  }
}
