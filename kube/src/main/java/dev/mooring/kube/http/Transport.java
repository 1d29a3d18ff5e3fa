package dev.mooring.kube.http;

import dev.mooring.kube.auth.ClusterLogin;
import dev.mooring.kube.auth.Credentials.CredentialSet;
import dev.mooring.kube.auth.CredentialsException;
import dev.mooring.kube.http.ServerSockets.TlsSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.internal.http2.ErrorCode;
import okhttp3.internal.http2.StreamResetException;
import org.jspecify.annotations.Nullable;

/**
 * HTTP connections to one server. Thread-safe.
 *
 * <p>When certificates change, new calls use new connections, and calls on old connections end
 * normally. New connections are also used after a call or a watch timed out: its connection, and
 * others of the same age, may be half-open because the server's machine has vanished. For shared
 * connections, pings detect this within twice {@link #PING_INTERVAL} and fail the pending calls.
 */
public final class Transport implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Transport.class.getName());

  // A connection without an answer to the previous ping is closed.
  private static final Duration PING_INTERVAL = Duration.ofSeconds(5);

  /** Clients with the same certificates. */
  public record Clients(ApiCalls calls, OkHttpClient watching) {
    private boolean uses(ConnectionPool pool) {
      return watching.connectionPool() == pool
          || calls instanceof LibraryCalls library && library.client().connectionPool() == pool;
    }

    private void closeIdleConnections() {
      calls.retireConnections();
      watching.connectionPool().evictAll();
    }
  }

  private record CachedClients(String authority, String certificate, String key, Clients clients) {
    boolean isFor(String trustedAuthority, CredentialSet credentials) {
      return authority.equals(trustedAuthority)
          && certificate.equals(credentials.certificate())
          && key.equals(credentials.key());
    }
  }

  private final ClusterLogin login;
  private final Interceptor interceptor;
  private final Dispatcher watchDispatcher = makeDispatcher();
  private final KeyExchangeGroups groups = new KeyExchangeGroups();
  private volatile @Nullable CachedClients cachedClients;

  public Transport(ClusterLogin login, Interceptor interceptor) {
    this.login = login;
    this.interceptor = interceptor;
  }

  private static Dispatcher makeDispatcher() {
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(1024);
    dispatcher.setMaxRequestsPerHost(1024);
    return dispatcher;
  }

  public Clients getClients(CredentialSet credentials) throws IOException {
    String authority = login.trust().authority().get();
    CachedClients last = cachedClients;
    return last != null && last.isFor(authority, credentials)
        ? last.clients()
        : renew(authority, credentials);
  }

  private synchronized Clients renew(String authority, CredentialSet credentials)
      throws IOException {
    CachedClients last = cachedClients;
    if (last != null && last.isFor(authority, credentials)) {
      return last.clients();
    }
    Clients clients;
    try {
      clients = makeClients(authority, credentials);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String line = "certificates for " + login.server() + " cannot be used: " + e.getMessage();
      if (last == null) {
        throw new CredentialsException(line);
      }
      LOG.log(Level.WARNING, () -> line + "; using the previous ones");
      clients = last.clients(); // avoids another attempt to parse them before they change
    }
    cachedClients =
        new CachedClients(authority, credentials.certificate(), credentials.key(), clients);
    if (last != null && last.clients() != clients) {
      last.clients().closeIdleConnections();
    }
    return clients;
  }

  private synchronized void replaceConnections(@Nullable ConnectionPool suspectPool) {
    CachedClients last = cachedClients;
    if (last == null || suspectPool != null && !last.clients().uses(suspectPool)) {
      return;
    }
    Clients clients = last.clients();
    cachedClients =
        new CachedClients(
            last.authority(),
            last.certificate(),
            last.key(),
            new Clients(
                renewConnections(clients.calls()),
                buildWithOwnPool(clients.watching().newBuilder())));
    clients.closeIdleConnections();
  }

  private ApiCalls renewConnections(ApiCalls calls) {
    return switch (calls) {
      case DirectCalls direct -> direct; // its connections are retired with the clients'
      case LibraryCalls library -> library.with(buildWithOwnPool(library.client().newBuilder()));
    };
  }

  private OkHttpClient buildWithOwnPool(OkHttpClient.Builder client) {
    ConnectionPool pool = new ConnectionPool(256, 5, TimeUnit.MINUTES);
    return client
        .connectionPool(pool)
        .eventListener(
            new EventListener() {
              @Override
              public void connectFailed(
                  Call call,
                  InetSocketAddress address,
                  Proxy proxy,
                  @Nullable Protocol protocol,
                  IOException e) {
                groups.handleConnectionFailure(e);
              }

              @Override
              public void callFailed(Call call, IOException e) {
                if (e instanceof InterruptedIOException
                    && !Thread.currentThread().isInterrupted()) {
                  replaceConnections(pool);
                }
              }

              @Override
              public void responseFailed(Call call, IOException e) {
                if (isUnansweredPing(e)) {
                  abandonSilentCalls();
                }
              }
            })
        .build();
  }

  private static boolean isUnansweredPing(IOException failure) {
    return failure instanceof StreamResetException reset
        && reset.errorCode == ErrorCode.PROTOCOL_ERROR;
  }

  // Direct calls have no pings, but usually a watch of the same server has.
  private void abandonSilentCalls() {
    CachedClients last = cachedClients;
    if (last != null) {
      last.clients().calls().abandonSilentCalls(PING_INTERVAL);
    }
  }

  public void rereadAuthority() {
    login.trust().authority().requestReread();
  }

  private Clients makeClients(String authority, CredentialSet credentials)
      throws IOException, GeneralSecurityException {
    OkHttpClient.Builder base =
        new OkHttpClient.Builder()
            // OkHttp would turn a redirected DELETE or PATCH into a GET, whose 200 confirms nothing
            .followRedirects(false)
            .followSslRedirects(false)
            .socketFactory(new NoDelaySocketFactory())
            .connectTimeout(Duration.ofSeconds(10))
            .writeTimeout(Duration.ofSeconds(30))
            .pingInterval(PING_INTERVAL);
    ClusterLogin.ProxyRoute proxy = login.proxy();
    if (proxy.selector() != null) {
      base.proxySelector(proxy.selector());
    }
    if (proxy.configuredProxy() != null) {
      base.proxy(proxy.configuredProxy());
    }
    if (!proxy.authorization().isEmpty()) {
      base.proxyAuthenticator(makeProxyAuthenticator(proxy.authorization()));
    }
    if (login.server().isHttps()) {
      TlsConfigurer.apply(base, login.trust(), authority, credentials, groups);
    } else {
      base.protocols(List.of(Protocol.HTTP_1_1));
      // plain HTTP needs no certificates
      base.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT));
    }
    OkHttpClient plain = base.build();
    OkHttpClient watching =
        buildWithOwnPool(
            plain
                .newBuilder()
                .addInterceptor(interceptor)
                .dispatcher(watchDispatcher)
                .callTimeout(Duration.ZERO));
    return new Clients(makeCalls(plain), watching);
  }

  private ApiCalls makeCalls(OkHttpClient client) {
    HttpUrl server = login.server();
    if (login.proxy().isUsedFor(server.uri())) {
      return new LibraryCalls(
          server,
          buildWithOwnPool(
              client
                  .newBuilder()
                  .dispatcher(makeDispatcher())
                  .readTimeout(Duration.ofSeconds(30))));
    }
    TlsSettings tls =
        server.isHttps()
            ? new TlsSettings(
                client.sslSocketFactory(),
                client.hostnameVerifier(),
                client.connectionSpecs().getFirst(),
                groups)
            : null;
    return new DirectCalls(new ServerSockets(server, tls), () -> replaceConnections(null));
  }

  private static Authenticator makeProxyAuthenticator(String authorization) {
    return (route, response) -> {
      Request request = response.request();
      return request.header("Proxy-Authorization") == null
          ? request.newBuilder().header("Proxy-Authorization", authorization).build()
          : null; // the proxy has rejected it
    };
  }

  public void cancelCalls() {
    CachedClients last = cachedClients;
    if (last != null) {
      last.clients().calls().cancelAll();
    }
  }

  @Override
  public void close() {
    cancelCalls();
    watchDispatcher.cancelAll();
    CachedClients last = cachedClients;
    if (last != null) {
      last.clients().closeIdleConnections();
    }
    watchDispatcher.executorService().shutdown();
  }
}
