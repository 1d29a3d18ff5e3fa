package bad.mooring.apiserver.http.read;

import bad.mooring.apiserver.http.route.BadRoute;

/** R15: calls the previous step. */
public class BadRead {
  public BadRoute callPreviousStep() {
    return new BadRoute();
  }
}
