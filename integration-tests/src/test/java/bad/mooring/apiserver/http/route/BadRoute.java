package bad.mooring.apiserver.http.route;

import bad.mooring.apiserver.http.read.BadRead;

/** Goes on, as it should; what it goes on to comes back: R15. */
public class BadRoute {
  /** Where it goes. */
  public BadRead next() {
    return new BadRead();
  }
}
