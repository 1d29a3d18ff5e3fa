package dev.mooring.manager.endpoint;

import dev.mooring.apiserver.tls.Authority;
import dev.mooring.kube.auth.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Sends what it is told, byte by byte, over TLS, to whomever it reaches. */
final class RawClient {
  private final int port;
  private final SSLContext context;

  /** One that shows that certificate. */
  RawClient(int port, Optional<Authority.Credential> credential) throws Exception {
    this.port = port;
    this.context = SSLContext.getInstance("TLS");
    context.init(
        credential.isEmpty()
            ? null
            : Certificates.showing(credential.get().certificate(), credential.get().key()),
        new TrustManager[] {Certificates.anybody()},
        null);
  }

  /** A connection whose handshake is over. */
  SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.startHandshake();
    return socket;
  }

  /** The code, a blank and the body of the answer. */
  String ask(String method, String path, String... headers) throws IOException {
    StringBuilder request =
        new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    String answer = send(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    return answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200 ".length())
        + answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  /** Everything that comes after that was sent; {@code ""} for nothing. */
  String send(byte[] bytes) throws IOException {
    try (SSLSocket socket = connect()) {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
