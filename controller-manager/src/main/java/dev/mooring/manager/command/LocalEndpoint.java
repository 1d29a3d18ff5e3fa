package dev.mooring.manager.command;

import dev.mooring.manager.endpoint.LocalKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Client for another Mooring process on this machine, with or without TLS. Sends a secret only to
 * the process that wrote the key file.
 *
 * @param address {@code HOST:PORT}
 * @param timeout timeout of each step
 */
record LocalEndpoint(String address, Duration timeout) {
  record Answer(int code, String body) {}

  Answer ask(String method, String path, Map<String, String> headers) throws IOException {
    if (LocalKey.exists(port())) {
      try {
        return secure(method, path, headers, LocalKey.read(port()));
      } catch (ConnectException refused) {
        throw refused;
      } catch (IOException ofAnother) {
        // a stale key of a killed process
      }
    }
    try {
      return sent(open("http", path), method, headers);
    } catch (ConnectException refused) {
      throw refused;
    } catch (IOException noHttp) {
      return secure(method, path, headers, Optional.empty());
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

  private Answer secure(
      String method, String path, Map<String, String> headers, Optional<LocalKey> key)
      throws IOException {
    HttpsURLConnection asking = (HttpsURLConnection) open("https", path);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          null,
          new TrustManager[] {new PinnedTrustManager(key.map(LocalKey::fingerprint).orElse(""))},
          new SecureRandom());
      asking.setSSLSocketFactory(context.getSocketFactory());
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime does not support TLS: " + e.getMessage(), e);
    }
    asking.setHostnameVerifier((host, session) -> true);
    key.ifPresent(k -> asking.setRequestProperty("Authorization", "Bearer " + k.secret()));
    return sent(asking, method, headers);
  }

  private Answer sent(HttpURLConnection asking, String method, Map<String, String> headers)
      throws IOException {
    asking.setConnectTimeout((int) timeout.toMillis());
    asking.setReadTimeout((int) timeout.toMillis());
    asking.setInstanceFollowRedirects(false);
    asking.setRequestMethod(method);
    headers.forEach(asking::setRequestProperty);
    if (method.equals("POST")) {
      asking.setDoOutput(true);
      asking.setFixedLengthStreamingMode(0);
      asking.getOutputStream().close();
    }
    int code = asking.getResponseCode();
    try (InputStream body = code < 400 ? asking.getInputStream() : asking.getErrorStream()) {
      return new Answer(
          code,
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8).strip());
    }
  }

  /**
   * Accepts only the certificate with a given hash. Without a hash accepts any, and no secret is
   * sent.
   */
  private static final class PinnedTrustManager extends X509ExtendedTrustManager {
    private final String fingerprint;

    PinnedTrustManager(String fingerprint) {
      this.fingerprint = fingerprint;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      try {
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
        if (!fingerprint.isEmpty() && !HexFormat.of().formatHex(sum).equals(fingerprint)) {
          throw new CertificateException("the server is not the process that wrote the key file");
        }
      } catch (java.security.NoSuchAlgorithmException impossible) {
        throw new CertificateException(impossible);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("client certificates are not supported");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
