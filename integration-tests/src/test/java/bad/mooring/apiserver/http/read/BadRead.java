package bad.mooring.apiserver.http.read;

import bad.mooring.apiserver.http.route.BadRoute;

/** Goes back to where a request came from: R15. */
public class BadRead {
  /** Where it goes. */
  public BadRoute back() {
    return new BadRoute();
  }
}
