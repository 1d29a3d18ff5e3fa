package dev.mooring.kube.auth;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
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

/**
 * Certificates in PEM, and what TLS is made of: who is trusted, and what is shown. Everything here
 * can be used by any number of threads.
 */
public final class Certificates {
  private static final char[] NO_PASSWORD = new char[0];

  private Certificates() {}

  /**
   * The certificates of a text, in their order.
   *
   * @param pem what stands between them is passed over
   * @return at least one
   * @throws GeneralSecurityException if there is none, or one of them is broken
   */
  public static List<X509Certificate> read(String pem) throws GeneralSecurityException {
    List<X509Certificate> certificates =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("there is no certificate in what should hold some");
    }
    return certificates;
  }

  /**
   * Trusts whom certain authorities have signed.
   *
   * @param pem their certificates
   * @throws GeneralSecurityException if there is none, or one of them is broken
   */
  public static X509TrustManager signedBy(String pem) throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    int count = 0;
    for (Certificate certificate : read(pem)) {
      store.setCertificateEntry("ca-" + count++, certificate);
    }
    return trusting(store);
  }

  /** Trusts whom the authorities of the Java runtime have signed. */
  static X509TrustManager signedByUsual() throws GeneralSecurityException {
    return trusting(null);
  }

  private static X509TrustManager trusting(@Nullable KeyStore authorities)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java runtime checks no certificates");
  }

  /**
   * Lets the handshake succeed whoever is at the other end: for those who were told not to look
   * (insecure-skip-tls-verify), or who judge the certificate afterwards.
   */
  public static X509ExtendedTrustManager anybody() {
    return new Anybody(() -> new X509Certificate[0]);
  }

  /**
   * The same for a server that asks clients for certificates.
   *
   * @param issuers whose certificates it would like to see; asked at each handshake, on its thread
   */
  public static X509ExtendedTrustManager anybody(Supplier<X509Certificate[]> issuers) {
    return new Anybody(issuers);
  }

  /**
   * Shows a certificate.
   *
   * @param certificate in PEM, followed by those that vouch for it
   * @param key its private key, in PEM
   * @throws GeneralSecurityException if one of both is not there, or broken
   */
  public static KeyManager[] showing(String certificate, String key)
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
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static final class Anybody extends X509ExtendedTrustManager {
    private final Supplier<X509Certificate[]> issuers;

    Anybody(Supplier<X509Certificate[]> issuers) {
      this.issuers = issuers;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

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
      return issuers.get();
    }
  }
}
