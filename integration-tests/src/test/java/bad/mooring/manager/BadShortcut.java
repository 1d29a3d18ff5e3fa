package bad.mooring.manager;

import bad.mooring.apiserver.http.read.BadRead;

/** R15: performs a step of a request without the previous ones. */
class BadShortcut {
  BadRead read() {
    return new BadRead();
  }
}
