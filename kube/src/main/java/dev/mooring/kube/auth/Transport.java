package dev.mooring.kube.auth;

import dev.mooring.kube.auth.Credentials.Shown;
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
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one server. They are made with the certificates of the moment: once these change,
 * calls are made on new connections, while calls on the old ones end by themselves. The same once a
 * call, or a watch, was given up because nothing came: its connection, and those that are as old,
 * may be half-open, as when the server's machine has vanished. Where many share one connection,
 * pings find that out within {@link #PINGS} and as much again, and what hangs on it fails.
 * Thread-safe.
 */
public final class Transport implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Transport.class.getName());

  /** A connection that has not answered a ping when the next is due is given up. */
  private static final Duration PINGS = Duration.ofSeconds(5);

  /**
   * Clients that share certificates.
   *
   * @param calls for requests that are answered
   * @param watching for answers that go on
   */
  public record Clients(OkHttpClient calls, OkHttpClient watching) {
    private void leaveConnections() {
      calls.connectionPool().evictAll();
      watching.connectionPool().evictAll();
    }
  }

  private record Made(String authority, String certificate, String key, Clients clients) {
    boolean isFor(String trusted, Shown shown) {
      return authority.equals(trusted)
          && certificate.equals(shown.certificate())
          && key.equals(shown.key());
    }
  }

  private final Login login;
  private final Interceptor interceptor;
  private final Dispatcher calls = dispatcher();
  private final Dispatcher watches = dispatcher();
  private final KeyShares shares = new KeyShares();
  private volatile @Nullable Made made;

  /** To that server; the interceptor sees every call. */
  public Transport(Login login, Interceptor interceptor) {
    this.login = login;
    this.interceptor = interceptor;
  }

  private static Dispatcher dispatcher() {
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(1024);
    dispatcher.setMaxRequestsPerHost(1024);
    return dispatcher;
  }

  /**
   * The clients that show those.
   *
   * @throws CredentialsException if certificates cannot be used and none could be before
   */
  public Clients clients(Shown shown) throws IOException {
    String authority = login.trust().authority().get();
    Made last = made;
    return last != null && last.isFor(authority, shown)
        ? last.clients()
        : renewed(authority, shown);
  }

  private synchronized Clients renewed(String authority, Shown shown) throws IOException {
    Made last = made;
    if (last != null && last.isFor(authority, shown)) {
      return last.clients();
    }
    Clients clients;
    try {
      clients = make(authority, shown);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String line = "certificates for " + login.server() + " cannot be used: " + e.getMessage();
      if (last == null) {
        throw new CredentialsException(line);
      }
      LOG.log(Level.WARNING, () -> line + "; those of before are used");
      clients = last.clients(); // not parsed again before they change
    }
    made = new Made(authority, shown.certificate(), shown.key(), clients);
    if (last != null && last.clients() != clients) {
      last.clients().leaveConnections();
    }
    return clients;
  }

  /** Calls are made on new connections, unless that is so already. */
  private synchronized void doubted(ConnectionPool of) {
    Made last = made;
    if (last == null) {
      return;
    }
    Clients clients = last.clients();
    if (clients.calls().connectionPool() == of || clients.watching().connectionPool() == of) {
      made =
          new Made(
              last.authority(),
              last.certificate(),
              last.key(),
              new Clients(
                  connecting(clients.calls().newBuilder()),
                  connecting(clients.watching().newBuilder())));
      clients.leaveConnections();
    }
  }

  /** With connections of its own, which are doubted when nothing comes for too long. */
  private OkHttpClient connecting(OkHttpClient.Builder client) {
    ConnectionPool own = new ConnectionPool(256, 5, TimeUnit.MINUTES);
    return client
        .connectionPool(own)
        .eventListener(
            new EventListener() {
              @Override
              public void connectFailed(
                  Call call,
                  InetSocketAddress to,
                  Proxy proxy,
                  @Nullable Protocol protocol,
                  IOException e) {
                shares.failed(e);
              }

              @Override
              public void callFailed(Call call, IOException e) {
                if (e instanceof InterruptedIOException
                    && !Thread.currentThread().isInterrupted()) {
                  doubted(own);
                }
              }
            })
        .build();
  }

  /** The server's certificate is not trusted: the authority's file is read again. */
  public void distrusted() {
    login.trust().authority().doubt();
  }

  private Clients make(String authority, Shown shown) throws IOException, GeneralSecurityException {
    OkHttpClient.Builder base =
        new OkHttpClient.Builder()
            .addInterceptor(interceptor)
            // OkHttp turns a redirected DELETE or PATCH into a GET, whose 200 says nothing of it
            .followRedirects(false)
            .followSslRedirects(false)
            .socketFactory(new PromptSockets())
            .connectTimeout(Duration.ofSeconds(10))
            .writeTimeout(Duration.ofSeconds(30))
            .pingInterval(PINGS);
    Login.Way way = login.way();
    if (way.selector() != null) {
      base.proxySelector(way.selector());
    }
    if (way.named() != null) {
      base.proxy(way.named());
    }
    if (!way.authorization().isEmpty()) {
      base.proxyAuthenticator(proxyAuthenticator(way.authorization()));
    }
    if (login.server().isHttps()) {
      Tls.apply(base, login.trust(), authority, shown, shares);
    } else {
      base.protocols(List.of(Protocol.HTTP_1_1));
      // nobody's certificates are read then
      base.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT));
    }
    return new Clients(
        connecting(
            base.dispatcher(calls)
                .readTimeout(Duration.ofSeconds(30))
                .callTimeout(Duration.ofSeconds(60))),
        connecting(base.dispatcher(watches).callTimeout(Duration.ZERO)));
  }

  private static Authenticator proxyAuthenticator(String authorization) {
    return (route, response) -> {
      Request asked = response.request();
      return asked.header("Proxy-Authorization") == null
          ? asked.newBuilder().header("Proxy-Authorization", authorization).build()
          : null; // it has been refused
    };
  }

  /** Ends every call that is under way; watches go on. */
  public void cancelCalls() {
    calls.cancelAll();
  }

  /** Ends everything and gives the connections back. */
  @Override
  public void close() {
    calls.cancelAll();
    watches.cancelAll();
    Made last = made;
    if (last != null) {
      last.clients().leaveConnections();
    }
    calls.executorService().shutdown();
    watches.executorService().shutdown();
  }
}
