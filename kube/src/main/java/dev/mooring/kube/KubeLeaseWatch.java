package dev.mooring.kube;

import dev.mooring.kube.http.ApiResponse;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.text.LogMessage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import okhttp3.Call;

final class KubeLeaseWatch implements LeaseWatch {
  private static final System.Logger LOG = System.getLogger(KubeLeaseWatch.class.getName());

  private final KubeConnection connection;

  KubeLeaseWatch(KubeConnection connection) {
    this.connection = connection;
  }

  @Override
  public boolean awaitRelease(Lease lease, Duration limit, Consumer<Lease> changed)
      throws InterruptedException {
    Map<String, String> query =
        Map.of(
            "watch",
            "true",
            // RBAC needs the name to authorize a watch of one object
            "fieldSelector",
            "metadata.name=" + lease.key().name(),
            "resourceVersion",
            Long.toString(lease.meta().resourceVersion()),
            "timeoutSeconds",
            Long.toString(limit.plusSeconds(1).toSeconds()));
    ReleaseEvents events = new ReleaseEvents(changed);
    try {
      Call call =
          connection.watch(
              ApiPath.ofCollection(Kind.LEASE, lease.key().namespace()), query, limit, limit);
      try (ApiResponse response = ApiResponse.of(call.execute())) {
        readWatch(response, events);
      } finally {
        call.cancel(); // does not wait for the end of the response
      }
    } catch (ImpossibleNameException | IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LOG.log(
          Level.DEBUG,
          LogMessage.of("the watch of the lease ended; this replica polls the lease")
              .with("lease", lease.key())
              .with(LogMessage.ERR, KubeConnection.describeRootCause(e)));
    }
    return events.isReleased;
  }

  private static void readWatch(ApiResponse response, ReleaseEvents events) throws IOException {
    if (response.isSuccessful()) {
      try (InputStream body = response.body()) {
        BodyDecoder.decodeWatch(Kind.LEASE, body, ApiResponses.isProtobuf(response), events);
      }
    }
  }

  private static final class ReleaseEvents implements BodyDecoder.Events<Lease> {
    private final Consumer<Lease> changed;
    private boolean isReleased;

    ReleaseEvents(Consumer<Lease> changed) {
      this.changed = changed;
    }

    @Override
    public void changed(String type, Lease lease) {
      isReleased = type.equals("DELETED") || lease.holder().isEmpty();
      if (!isReleased) {
        changed.accept(lease);
      }
    }

    @Override
    public void bookmark(long version, boolean endsInitialEvents) {}

    @Override
    public void error(BodyDecoder.Status status) {}

    @Override
    public boolean isEnough() {
      return isReleased;
    }
  }
}
