package bad.mooring.binder.observe;

import bad.mooring.binder.execute.BadExecutor;
import com.google.inject.Inject;
import io.kubernetes.client.openapi.ApiClient;

/** R3, R7, R8: executes while it observes, and uses the Kubernetes client directly. */
public class BadViews {
  @Inject public ApiClient client;
  public BadExecutor executor;
}
