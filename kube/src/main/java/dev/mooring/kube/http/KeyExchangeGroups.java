package dev.mooring.kube.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Key exchange groups offered in TLS handshakes. Thread-safe.
 *
 * <p>The JVM generates a key for the first group of each family before it knows the server's
 * choice. In a process that has just started, a P-256 key costs a tenth of a second of CPU time.
 * Therefore only X25519 is offered until a connection fails. From then on all groups of the JVM are
 * offered, for servers that accept only NIST curves. A JVM that prefers another group is left
 * unchanged.
 */
final class KeyExchangeGroups {
  private static final String PREFERRED = "x25519";

  private volatile boolean offersAll;

  void handleConnectionFailure(IOException failure) {
    if (!(failure instanceof ConnectException)) {
      offersAll = true;
    }
  }

  SSLSocketFactory wrap(SSLSocketFactory sockets) {
    return new DelegatingSocketFactory(sockets) {
      @Override
      public Socket createSocket(Socket connection, String host, int port, boolean autoClose)
          throws IOException {
        Socket socket = super.createSocket(connection, host, port, autoClose);
        if (!offersAll && socket instanceof SSLSocket tlsSocket) {
          offerPreferred(tlsSocket);
        }
        return socket;
      }
    };
  }

  private static void offerPreferred(SSLSocket socket) {
    SSLParameters parameters = socket.getSSLParameters();
    String[] groups = parameters.getNamedGroups();
    if (groups != null && groups.length > 1 && groups[0].equals(PREFERRED)) {
      parameters.setNamedGroups(new String[] {PREFERRED});
      socket.setSSLParameters(parameters);
    }
  }
}
