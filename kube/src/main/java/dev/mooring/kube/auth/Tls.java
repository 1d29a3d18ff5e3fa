package dev.mooring.kube.auth;

import dev.mooring.kube.auth.Credentials.Shown;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/** Certificates of a kubeconfig for an HTTP client. */
final class Tls {
  private Tls() {}

  /**
   * Has the client use them.
   *
   * @param shares what is offered; is to be told of connections that fail
   */
  static void apply(
      OkHttpClient.Builder client,
      Login.Trust trust,
      String authority,
      Shown shown,
      KeyShares shares)
      throws IOException, GeneralSecurityException {
    X509TrustManager trusting = trusting(trust, authority);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(shown), new TrustManager[] {trusting}, null);
    SSLSocketFactory sockets = shares.of(context.getSocketFactory());
    if (trust.unchecked()) {
      client.hostnameVerifier((host, session) -> true);
    } else if (!trust.serverName().isEmpty()) {
      HostnameVerifier usual = new OkHttpClient().hostnameVerifier();
      client.hostnameVerifier((host, session) -> usual.verify(trust.serverName(), session));
    }
    // twice: a handshake that fails is tried once more at once, when other groups are offered
    ConnectionSpec proposed = Ciphers.proposed();
    client.connectionSpecs(List.of(proposed, proposed, ConnectionSpec.CLEARTEXT));
    client.sslSocketFactory(
        trust.serverName().isEmpty() ? sockets : named(sockets, trust.serverName()), trusting);
  }

  private static X509TrustManager trusting(Login.Trust trust, String authority)
      throws IOException, GeneralSecurityException {
    if (trust.unchecked()) {
      return Certificates.anybody();
    }
    return authority.isEmpty() ? Certificates.signedByUsual() : Certificates.signedBy(authority);
  }

  private static KeyManager @Nullable [] keys(Shown shown)
      throws IOException, GeneralSecurityException {
    return shown.certificate().isEmpty()
        ? null
        : Certificates.showing(shown.certificate(), shown.key());
  }

  /** Asks for a server by another name than the one that it is reached by (tls-server-name). */
  private static SSLSocketFactory named(SSLSocketFactory sockets, String name) {
    return new LayeredSockets(sockets) {
      @Override
      public Socket createSocket(Socket under, String host, int port, boolean close)
          throws IOException {
        return super.createSocket(under, name, port, close);
      }
    };
  }
}
