package dev.mooring.kube.auth;

import dev.mooring.kube.auth.Credentials.Shown;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/** Certificates of a kubeconfig for an HTTP client. */
final class Tls {
  private static final char[] NO_PASSWORD = new char[0];

  private Tls() {}

  static void apply(OkHttpClient.Builder client, Login.Trust trust, String authority, Shown shown)
      throws IOException, GeneralSecurityException {
    X509TrustManager trusting = trust.unchecked() ? new Unchecked() : trusting(authority);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(shown), new TrustManager[] {trusting}, null);
    SSLSocketFactory sockets = context.getSocketFactory();
    if (trust.unchecked()) {
      client.hostnameVerifier((host, session) -> true);
    } else if (!trust.serverName().isEmpty()) {
      HostnameVerifier usual = new OkHttpClient().hostnameVerifier();
      client.hostnameVerifier((host, session) -> usual.verify(trust.serverName(), session));
    }
    client.sslSocketFactory(
        trust.serverName().isEmpty() ? sockets : new Named(sockets, trust.serverName()), trusting);
  }

  private static X509TrustManager trusting(String authority)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    if (authority.isEmpty()) {
      factory.init((KeyStore) null); // those of the Java runtime
    } else {
      KeyStore store = emptyStore();
      int count = 0;
      for (Certificate certificate : certificates(authority)) {
        store.setCertificateEntry("ca-" + count++, certificate);
      }
      factory.init(store);
    }
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java runtime checks no certificates");
  }

  private static Collection<? extends Certificate> certificates(String pem)
      throws GeneralSecurityException {
    Collection<? extends Certificate> certificates =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    if (certificates.isEmpty()) {
      throw new GeneralSecurityException("there is no certificate in what should hold some");
    }
    return certificates;
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static KeyManager @Nullable [] keys(Shown shown)
      throws IOException, GeneralSecurityException {
    if (shown.certificate().isEmpty()) {
      return null;
    }
    PrivateKey key = PrivateKeys.read(shown.key());
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "client", key, NO_PASSWORD, certificates(shown.certificate()).toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  /** Asks for a server by another name than the one that it is reached by (tls-server-name). */
  private static final class Named extends SSLSocketFactory {
    private final SSLSocketFactory sockets;
    private final String name;

    Named(SSLSocketFactory sockets, String name) {
      this.sockets = sockets;
      this.name = name;
    }

    @Override
    public Socket createSocket(Socket under, String host, int port, boolean close)
        throws IOException {
      return sockets.createSocket(under, name, port, close);
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
        throws IOException {
      return sockets.createSocket(host, port, from, fromPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
        throws IOException {
      return sockets.createSocket(host, port, from, fromPort);
    }
  }

  /** Takes whatever it is shown (insecure-skip-tls-verify). */
  private static final class Unchecked extends X509ExtendedTrustManager {
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
      return new X509Certificate[0];
    }
  }
}
