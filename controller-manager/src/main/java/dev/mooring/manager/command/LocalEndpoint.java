package dev.mooring.manager.command;

import dev.mooring.kube.auth.TlsCertificates;
import dev.mooring.manager.endpoint.LocalKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Client for another Mooring process on this machine, with or without TLS. Sends a secret only to
 * the process that wrote the key file.
 *
 * @param address {@code HOST:PORT}
 * @param timeout timeout of each step
 */
record LocalEndpoint(String address, Duration timeout) {
  record Answer(int code, String body) {}

  Answer send(String method, String path, Map<String, String> headers) throws IOException {
    if (LocalKey.exists(port())) {
      try {
        return sendSecurely(method, path, headers, LocalKey.read(port()));
      } catch (ConnectException refused) {
        throw refused;
      } catch (IOException staleKey) {
        // a killed process left the key
      }
    }
    try {
      return sendTo(open("http", path), method, headers);
    } catch (ConnectException refused) {
      throw refused;
    } catch (IOException notPlainHttp) {
      return sendSecurely(method, path, headers, Optional.empty());
    }
  }

  private int port() {
    try {
      return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(address + " has no port", e);
    }
  }

  private HttpURLConnection open(String scheme, String path) throws IOException {
    return (HttpURLConnection) URI.create(scheme + "://" + address + path).toURL().openConnection();
  }

  private Answer sendSecurely(
      String method, String path, Map<String, String> headers, Optional<LocalKey> key)
      throws IOException {
    HttpsURLConnection connection = (HttpsURLConnection) open("https", path);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          null,
          new TrustManager[] {TlsCertificates.accepting(chain -> check(key, chain[0]))},
          new SecureRandom());
      connection.setSSLSocketFactory(context.getSocketFactory());
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime does not support TLS: " + e.getMessage(), e);
    }
    connection.setHostnameVerifier((host, session) -> true);
    key.ifPresent(k -> connection.setRequestProperty("Authorization", "Bearer " + k.secret()));
    return sendTo(connection, method, headers);
  }

  private Answer sendTo(HttpURLConnection connection, String method, Map<String, String> headers)
      throws IOException {
    connection.setConnectTimeout((int) timeout.toMillis());
    connection.setReadTimeout((int) timeout.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setRequestMethod(method);
    headers.forEach(connection::setRequestProperty);
    if (method.equals("POST")) {
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(0);
      connection.getOutputStream().close();
    }
    int code = connection.getResponseCode();
    try (InputStream body =
        code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(
          code,
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8).strip());
    }
  }

  // Accepts only the certificate of the key; without a key any, because no secret is sent.
  private static void check(Optional<LocalKey> key, X509Certificate certificate)
      throws CertificateException {
    if (key.isPresent()
        && !TlsCertificates.fingerprint(certificate).equals(key.get().fingerprint())) {
      throw new CertificateException("the server is not the process that wrote the key file");
    }
  }
}
