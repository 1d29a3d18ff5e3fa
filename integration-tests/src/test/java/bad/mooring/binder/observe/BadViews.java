package bad.mooring.binder.observe;

import bad.mooring.binder.execute.BadExecutor;
import com.google.inject.Inject;
import io.kubernetes.client.openapi.ApiClient;

/** R3, R7, R8: knows and acts, through a door of its own. */
public class BadViews {
  @Inject public ApiClient client;
  public BadExecutor executor;
}
