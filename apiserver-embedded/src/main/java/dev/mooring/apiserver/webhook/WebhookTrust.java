package dev.mooring.apiserver.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the certificates of a webhook: signed by its bundle, and for its name. The name of a
 * service differs from the address that the server connects to, so the JDK cannot check it.
 */
final class WebhookTrust extends X509ExtendedTrustManager {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final X509TrustManager authorities;
  private final String serverName;

  private WebhookTrust(X509TrustManager authorities, String serverName) {
    this.authorities = authorities;
    this.serverName = serverName;
  }

  // without a bundle, the authorities of the JVM count
  static SSLContext makeContext(String caBundle, String serverName)
      throws GeneralSecurityException, IOException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(caBundle.isEmpty() ? null : readBundle(caBundle));
    X509TrustManager authorities = (X509TrustManager) factory.getTrustManagers()[0];
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        null, new TrustManager[] {new WebhookTrust(authorities, serverName)}, new SecureRandom());
    return context;
  }

  private static KeyStore readBundle(String caBundle) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    byte[] pem = Base64.getMimeDecoder().decode(caBundle);
    Collection<? extends Certificate> certificates =
        CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
    int number = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("ca" + number++, certificate);
    }
    return store;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    authorities.checkServerTrusted(chain, authType);
    if (!isIssuedFor(chain[0])) {
      throw new CertificateException("the certificate is not valid for " + serverName);
    }
  }

  private boolean isIssuedFor(X509Certificate certificate) throws CertificateException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    if (names == null) {
      return false;
    }
    for (List<?> name : names) {
      boolean isName = name.getFirst().equals(DNS_NAME) || name.getFirst().equals(IP_ADDRESS);
      if (isName && isCovering(name.get(1).toString().toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  private boolean isCovering(String name) {
    String suffix = serverName.substring(Math.max(0, serverName.indexOf('.')));
    return name.equals(serverName) || name.startsWith("*.") && name.substring(1).equals(suffix);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("webhooks are no clients");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(
      X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }
}
