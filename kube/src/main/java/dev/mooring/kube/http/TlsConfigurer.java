package dev.mooring.kube.http;

import dev.mooring.kube.auth.ClusterLogin;
import dev.mooring.kube.auth.Credentials.CredentialSet;
import dev.mooring.kube.auth.TlsCertificates;
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

final class TlsConfigurer {
  private TlsConfigurer() {}

  static void apply(
      OkHttpClient.Builder client,
      ClusterLogin.ServerTrust trust,
      String authority,
      CredentialSet credentials,
      KeyExchangeGroups groups)
      throws IOException, GeneralSecurityException {
    X509TrustManager trustManager = makeTrustManager(trust, authority);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(makeKeyManagers(credentials), new TrustManager[] {trustManager}, null);
    SSLSocketFactory sockets = groups.wrap(context.getSocketFactory());
    if (trust.insecureSkipVerify()) {
      client.hostnameVerifier((host, session) -> true);
    } else if (!trust.serverName().isEmpty()) {
      HostnameVerifier defaultVerifier = new OkHttpClient().hostnameVerifier();
      client.hostnameVerifier(
          (host, session) -> defaultVerifier.verify(trust.serverName(), session));
    }
    // listed twice, so that a failed handshake is retried at once with other groups
    ConnectionSpec spec = CipherOrder.makeConnectionSpec();
    client.connectionSpecs(List.of(spec, spec, ConnectionSpec.CLEARTEXT));
    client.sslSocketFactory(addServerName(sockets, trust.serverName()), trustManager);
  }

  private static X509TrustManager makeTrustManager(ClusterLogin.ServerTrust trust, String authority)
      throws IOException, GeneralSecurityException {
    if (trust.insecureSkipVerify()) {
      return TlsCertificates.acceptingAny();
    }
    return authority.isEmpty()
        ? TlsCertificates.signedByDefaultAuthorities()
        : TlsCertificates.signedBy(authority);
  }

  private static KeyManager @Nullable [] makeKeyManagers(CredentialSet credentials)
      throws IOException, GeneralSecurityException {
    return credentials.certificate().isEmpty()
        ? null
        : TlsCertificates.keyManagersFor(credentials.certificate(), credentials.key());
  }

  /**
   * Sends the server's name in the handshake, as Go does. Java by default omits names without a dot
   * and names with an underscore.
   *
   * @param name tls-server-name; "" for the host in the server's address
   */
  private static SSLSocketFactory addServerName(SSLSocketFactory sockets, String name) {
    return new DelegatingSocketFactory(sockets) {
      @Override
      public Socket createSocket(Socket connection, String host, int port, boolean autoClose)
          throws IOException {
        String serverName = name.isEmpty() ? host : name;
        Socket socket = super.createSocket(connection, serverName, port, autoClose);
        if (socket instanceof SSLSocket tlsSocket) {
          setServerName(
              tlsSocket,
              serverName.endsWith(".")
                  ? serverName.substring(0, serverName.length() - 1)
                  : serverName);
        }
        return socket;
      }
    };
  }

  private static void setServerName(SSLSocket socket, String name) {
    if (name.isEmpty() || isAddress(name)) {
      return;
    }
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new HostName(name)));
    socket.setSSLParameters(parameters);
  }

  /**
   * Host name without the check of {@link javax.net.ssl.SNIHostName}, which rejects underscores.
   */
  private static final class HostName extends SNIServerName {
    HostName(String name) {
      super(StandardConstants.SNI_HOST_NAME, name.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static boolean isAddress(String name) {
    return name.contains(":") || name.matches("[0-9.]+");
  }
}
