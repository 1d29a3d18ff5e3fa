package bad.mooring.apiserver.http.route;

import bad.mooring.apiserver.http.read.BadRead;

/** R15: calls the next step, which calls back. */
public class BadRoute {
  public BadRead callNextStep() {
    return new BadRead();
  }
}
