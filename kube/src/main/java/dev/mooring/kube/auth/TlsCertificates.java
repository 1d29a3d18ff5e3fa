package dev.mooring.kube.auth;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** PEM certificates and the TLS managers made of them. Thread-safe. */
public final class TlsCertificates {
  private static final char[] NO_PASSWORD = new char[0];

  private TlsCertificates() {}

  public static List<X509Certificate> read(String pem) throws GeneralSecurityException {
    List<X509Certificate> certificates =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("the PEM text contains no certificate");
    }
    return certificates;
  }

  public static X509TrustManager signedBy(String pem) throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    int count = 0;
    for (Certificate certificate : read(pem)) {
      store.setCertificateEntry("ca-" + count++, certificate);
    }
    return makeTrustManager(store);
  }

  public static X509TrustManager signedByDefaultAuthorities() throws GeneralSecurityException {
    return makeTrustManager(null);
  }

  private static X509TrustManager makeTrustManager(@Nullable KeyStore authorities)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager x509Manager) {
        return x509Manager;
      }
    }
    throw new GeneralSecurityException("the Java runtime has no X.509 trust manager");
  }

  /** A check of the chain that the other side presents, its own certificate first. */
  @FunctionalInterface
  public interface ChainCheck {
    void check(X509Certificate[] chain) throws CertificateException;
  }

  /**
   * Creates a trust manager that accepts any certificate: for insecure-skip-tls-verify, and for
   * callers that check the certificate after the handshake.
   */
  public static X509ExtendedTrustManager acceptingAny() {
    return accepting(chain -> {});
  }

  /** Creates a trust manager for a client that accepts a certificate if the check succeeds. */
  public static X509ExtendedTrustManager accepting(ChainCheck check) {
    return new CheckingTrustManager(check, () -> new X509Certificate[0]);
  }

  /** Returns the sha256 of the certificate in hexadecimal. */
  public static String fingerprint(X509Certificate certificate) throws CertificateException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(certificate.getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /**
   * Creates a trust manager that accepts any certificate, for a server that requests client
   * certificates.
   *
   * @param issuers accepted issuers in the request; queried at each handshake on its thread
   */
  public static X509ExtendedTrustManager acceptingAny(Supplier<X509Certificate[]> issuers) {
    return new CheckingTrustManager(chain -> {}, issuers);
  }

  public static KeyManager[] keyManagersFor(String certificate, String key)
      throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "client",
        PrivateKeys.read(key),
        NO_PASSWORD,
        read(certificate).toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("JKS"); // PKCS12 derives a key from the password
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static final class CheckingTrustManager extends X509ExtendedTrustManager {
    private final ChainCheck check;
    private final Supplier<X509Certificate[]> issuers;

    CheckingTrustManager(ChainCheck check, Supplier<X509Certificate[]> issuers) {
      this.check = check;
      this.issuers = issuers;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check.check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check.check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check.check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check.check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check.check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check.check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return issuers.get();
    }
  }
}
