package dev.mooring.manager.endpoint;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.auth.TlsCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Sends raw bytes over TLS and accepts any server certificate. */
final class RawClient {
  private final int port;
  private final SSLContext context;

  /**
   * @param credential client certificate
   */
  RawClient(int port, Optional<CertificateAuthority.KeyPairFiles> credential) throws Exception {
    this.port = port;
    this.context = SSLContext.getInstance("TLS");
    context.init(
        credential.isEmpty()
            ? null
            : TlsCertificates.keyManagersFor(
                credential.get().certificate(), credential.get().key()),
        new TrustManager[] {TlsCertificates.acceptingAny()},
        null);
  }

  /** Connects and completes the handshake. */
  SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.startHandshake();
    return socket;
  }

  /** Returns the status code, a blank and the body. */
  String request(String method, String path, String... headers) throws IOException {
    StringBuilder text =
        new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    String answer = send(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    return answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200 ".length())
        + answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }

  /** Returns everything that the server sends afterwards; {@code ""} for nothing. */
  String send(byte[] bytes) throws IOException {
    try (SSLSocket socket = connect()) {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
