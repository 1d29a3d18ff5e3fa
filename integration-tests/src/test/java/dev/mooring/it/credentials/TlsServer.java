package dev.mooring.it.credentials;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.apiserver.tls.CertificateAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A TLS server that serves every node, records its callers and answers 401 to unknown ones. */
final class TlsServer implements AutoCloseable {
  /**
   * A request.
   *
   * @param certificate subject of the client certificate, "" for none
   */
  record ReceivedRequest(String certificate, Map<String, List<String>> headers) {
    String header(String name) {
      return headers.entrySet().stream()
          .filter(each -> each.getKey().equalsIgnoreCase(name))
          .flatMap(each -> each.getValue().stream())
          .sorted()
          .collect(Collectors.joining(","));
    }
  }

  private final HttpsServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<ReceivedRequest> asked = new CopyOnWriteArrayList<>();
  private volatile Predicate<ReceivedRequest> known = request -> true;

  TlsServer(CertificateAuthority authority, int port) throws IOException, GeneralSecurityException {
    this(authority, port, "TLSv1.3", List.of());
  }

  /** Starts a server that uses the protocol and supports the groups; an empty list means all. */
  TlsServer(CertificateAuthority authority, int port, String protocol, List<String> groups)
      throws IOException, GeneralSecurityException {
    this.http =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.setHttpsConfigurator(new AskingForCertificates(authority.server(), protocol, groups));
    http.createContext("/", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  private static final class AskingForCertificates extends HttpsConfigurator {
    private final String protocol;
    private final List<String> groups;

    AskingForCertificates(SSLContext context, String protocol, List<String> groups) {
      super(context);
      this.protocol = protocol;
      this.groups = groups;
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
      wanted.setWantClientAuth(true);
      if (!groups.isEmpty()) {
        wanted.setProtocols(new String[] {protocol});
        wanted.setNamedGroups(groups.toArray(String[]::new));
      }
      parameters.setSSLParameters(wanted);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    ReceivedRequest now =
        new ReceivedRequest(certificate(exchange), Map.copyOf(exchange.getRequestHeaders()));
    asked.add(now);
    String path = exchange.getRequestURI().getPath();
    byte[] body =
        (known.test(now)
                ? "{\"metadata\": {\"name\": \"%s\"}}"
                    .formatted(path.substring(path.lastIndexOf('/') + 1))
                : "{\"kind\": \"Status\", \"code\": 401, \"message\": \"Unauthorized\"}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(known.test(now) ? 200 : 401, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String certificate(HttpExchange exchange) {
    try {
      return ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException none) {
      return "";
    }
  }

  void acceptIf(Predicate<ReceivedRequest> accepted) {
    known = accepted;
  }

  void acceptToken(String token) {
    acceptIf(request -> request.header("Authorization").equals("Bearer " + token));
  }

  int port() {
    return http.getAddress().getPort();
  }

  List<ReceivedRequest> asked() {
    return List.copyOf(asked);
  }

  ReceivedRequest last() {
    return asked.getLast();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
