package dev.mooring.manager.endpoint;

import dev.mooring.apiserver.tls.Authority;
import dev.mooring.kube.auth.PrivateKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Sends what it is told, byte by byte, over TLS, to whomever it reaches. */
final class RawClient {
  private final int port;
  private final SSLContext context;

  /** One that shows that certificate. */
  RawClient(int port, Optional<Authority.Credential> credential) throws Exception {
    this.port = port;
    this.context = SSLContext.getInstance("TLS");
    context.init(
        credential.isEmpty() ? null : keys(credential.get()),
        new TrustManager[] {new Anybody()},
        null);
  }

  private static KeyManager @Nullable [] keys(Authority.Credential credential) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, new char[0]);
    Certificate certificate =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(
                    credential.certificate().getBytes(StandardCharsets.US_ASCII)));
    store.setKeyEntry(
        "client", PrivateKeys.read(credential.key()), new char[0], new Certificate[] {certificate});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
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

  private static final class Anybody extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
