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

/** A TLS server that returns every node, records requests and answers rejected ones with 401. */
final class TlsServer implements AutoCloseable {
  /**
   * A request.
   *
   * @param certificate subject of the client certificate, "" for none
   */
  record ReceivedRequest(String certificate, Map<String, List<String>> headers) {
    String header(String name) {
      return headers.entrySet().stream()
          .filter(field -> field.getKey().equalsIgnoreCase(name))
          .flatMap(field -> field.getValue().stream())
          .sorted()
          .collect(Collectors.joining(","));
    }
  }

  private final HttpsServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<ReceivedRequest> receivedRequests = new CopyOnWriteArrayList<>();
  private volatile Predicate<ReceivedRequest> isAccepted = request -> true;

  TlsServer(CertificateAuthority authority, int port) throws IOException, GeneralSecurityException {
    this(authority, port, "TLSv1.3", List.of());
  }

  /** Starts a server that uses the protocol and supports the groups; an empty list means all. */
  TlsServer(CertificateAuthority authority, int port, String protocol, List<String> groups)
      throws IOException, GeneralSecurityException {
    this.http =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.setHttpsConfigurator(
        new ClientCertificateConfigurator(authority.server(), protocol, groups));
    http.createContext("/", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  private static final class ClientCertificateConfigurator extends HttpsConfigurator {
    private final String protocol;
    private final List<String> groups;

    ClientCertificateConfigurator(SSLContext context, String protocol, List<String> groups) {
      super(context);
      this.protocol = protocol;
      this.groups = groups;
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters tlsParameters = getSSLContext().getDefaultSSLParameters();
      tlsParameters.setWantClientAuth(true);
      if (!groups.isEmpty()) {
        tlsParameters.setProtocols(new String[] {protocol});
        tlsParameters.setNamedGroups(groups.toArray(String[]::new));
      }
      parameters.setSSLParameters(tlsParameters);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    ReceivedRequest request =
        new ReceivedRequest(certificateSubject(exchange), Map.copyOf(exchange.getRequestHeaders()));
    receivedRequests.add(request);
    String path = exchange.getRequestURI().getPath();
    byte[] body =
        (isAccepted.test(request)
                ? "{\"metadata\": {\"name\": \"%s\"}}"
                    .formatted(path.substring(path.lastIndexOf('/') + 1))
                : "{\"kind\": \"Status\", \"code\": 401, \"message\": \"Unauthorized\"}")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(isAccepted.test(request) ? 200 : 401, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String certificateSubject(HttpExchange exchange) {
    try {
      return ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException noCertificate) {
      return "";
    }
  }

  void acceptIf(Predicate<ReceivedRequest> acceptance) {
    isAccepted = acceptance;
  }

  void acceptToken(String token) {
    acceptIf(request -> request.header("Authorization").equals("Bearer " + token));
  }

  int port() {
    return http.getAddress().getPort();
  }

  List<ReceivedRequest> receivedRequests() {
    return List.copyOf(receivedRequests);
  }

  ReceivedRequest lastRequest() {
    return receivedRequests.getLast();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
