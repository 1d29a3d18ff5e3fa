package dev.mooring.kube.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import okhttp3.HttpUrl;
import okhttp3.TlsVersion;
import org.jspecify.annotations.Nullable;

/** Opens connections to an API server. Thread-safe. */
final class ServerSockets {
  private static final long MAX_CONNECT_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int HANDSHAKES = 2;

  /**
   * TLS settings of a client.
   *
   * @param spec offered versions and cipher suites, in this order
   */
  record TlsSettings(
      SSLSocketFactory sockets,
      HostnameVerifier verifier,
      ConnectionSpec spec,
      KeyExchangeGroups groups) {}

  private final HttpUrl server;
  private final @Nullable TlsSettings tls;
  private volatile @Nullable InetAddress lastAddress;

  ServerSockets(HttpUrl server, @Nullable TlsSettings tls) {
    this.server = server;
    this.tls = tls;
  }

  String origin() {
    return server.scheme() + "://" + hostAndPort();
  }

  String hostAndPort() {
    String host = server.host().contains(":") ? "[" + server.host() + "]" : server.host();
    return server.port() == HttpUrl.defaultPort(server.scheme())
        ? host
        : host + ":" + server.port();
  }

  /**
   * Opens a connection.
   *
   * @param deadline time of {@link System#nanoTime} until which the connection is usable
   */
  DirectConnection open(long deadline) throws IOException {
    if (tls == null) {
      Socket socket = connect(deadline);
      return new DirectConnection(socket, socket);
    }
    for (int attempt = 1; ; attempt++) {
      Socket socket = connect(deadline);
      try {
        return new DirectConnection(socket, secure(socket, tls, deadline));
      } catch (IOException e) {
        socket.close();
        tls.groups().handleConnectionFailure(e);
        if (attempt == HANDSHAKES || !mayOtherGroupsHelp(e)) {
          throw e;
        }
      }
    }
  }

  private static boolean mayOtherGroupsHelp(IOException failure) {
    return failure instanceof SSLException
        && !(failure instanceof SSLPeerUnverifiedException)
        && !(failure.getCause() instanceof CertificateException);
  }

  private Socket connect(long deadline) throws IOException {
    List<InetAddress> addresses = sortAddresses(InetAddress.getAllByName(server.host()));
    IOException failure = null;
    for (int i = 0; i < addresses.size(); i++) {
      long limit = Math.min(deadline - System.nanoTime(), MAX_CONNECT_NANOS);
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true); // by default a small write waits for an acknowledgement
        socket.setKeepAlive(true);
        socket.connect(
            new InetSocketAddress(addresses.get(i), server.port()),
            DirectConnection.toMillis(limit / (addresses.size() - i)));
        lastAddress = addresses.get(i);
        return socket;
      } catch (IOException e) {
        socket.close();
        if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
          throw e;
        }
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    throw Objects.requireNonNull(failure, "a resolved name has an address");
  }

  // An address that accepted the last connection comes first.
  private List<InetAddress> sortAddresses(InetAddress[] resolved) {
    InetAddress last = lastAddress;
    List<InetAddress> addresses = Arrays.asList(resolved);
    int index = addresses.indexOf(last);
    if (index > 0) {
      addresses.set(index, addresses.set(0, addresses.get(index)));
    }
    return addresses;
  }

  private SSLSocket secure(Socket socket, TlsSettings settings, long deadline) throws IOException {
    SSLSocket secure =
        (SSLSocket) settings.sockets().createSocket(socket, server.host(), server.port(), true);
    applySpec(secure, settings.spec());
    long limit = Math.min(deadline - System.nanoTime(), MAX_CONNECT_NANOS);
    secure.setSoTimeout(DirectConnection.toMillis(limit));
    secure.startHandshake();
    if (!settings.verifier().verify(server.host(), secure.getSession())) {
      throw new SSLPeerUnverifiedException(
          "the certificate of the server is not for " + server.host());
    }
    return secure;
  }

  private static void applySpec(SSLSocket socket, ConnectionSpec spec) {
    Set<String> enabledSuites = Set.of(socket.getEnabledCipherSuites());
    Set<String> enabledVersions = Set.of(socket.getEnabledProtocols());
    List<CipherSuite> suites = Objects.requireNonNull(spec.cipherSuites());
    List<TlsVersion> versions = Objects.requireNonNull(spec.tlsVersions());
    socket.setEnabledCipherSuites(
        suites.stream()
            .map(CipherSuite::javaName)
            .filter(enabledSuites::contains)
            .toArray(String[]::new));
    socket.setEnabledProtocols(
        versions.stream()
            .map(TlsVersion::javaName)
            .filter(enabledVersions::contains)
            .toArray(String[]::new));
  }
}
