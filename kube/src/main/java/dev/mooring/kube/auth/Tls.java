package dev.mooring.kube.auth;

import dev.mooring.kube.auth.Credentials.Shown;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.StandardConstants;
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
    client.sslSocketFactory(named(sockets, trust.serverName()), trusting);
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

  /**
   * Indicates the server's name in the handshake, as Go does: by default Java indicates no name
   * without a dot, and none with an underscore.
   *
   * @param name tls-server-name, "" for the host in the server's address
   */
  private static SSLSocketFactory named(SSLSocketFactory sockets, String name) {
    return new LayeredSockets(sockets) {
      @Override
      public Socket createSocket(Socket under, String host, int port, boolean close)
          throws IOException {
        String wanted = name.isEmpty() ? host : name;
        Socket socket = super.createSocket(under, wanted, port, close);
        if (socket instanceof SSLSocket secure) {
          indicate(
              secure, wanted.endsWith(".") ? wanted.substring(0, wanted.length() - 1) : wanted);
        }
        return socket;
      }
    };
  }

  private static void indicate(SSLSocket socket, String name) {
    if (name.isEmpty() || isAddress(name)) {
      return;
    }
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new HostName(name)));
    socket.setSSLParameters(parameters);
  }

  /** A host name as it is: {@link javax.net.ssl.SNIHostName} refuses underscores. */
  private static final class HostName extends SNIServerName {
    HostName(String name) {
      super(StandardConstants.SNI_HOST_NAME, name.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static boolean isAddress(String name) {
    return name.contains(":") || name.matches("[0-9.]+");
  }
}
