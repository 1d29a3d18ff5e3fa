package dev.mooring.kube.auth;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Which groups a server is offered to agree upon keys. The JVM makes a key for the first group of
 * each family before it knows which one the server takes, and what a key of P-256 needs takes a
 * process that has just begun a tenth of a second of processor. So X25519 is offered alone, which
 * servers take that know it, until a connection fails: then, and from then on, everything that the
 * JVM has is offered, as for servers that may use NIST's curves only. A JVM that prefers another
 * group is let be. Thread-safe.
 */
final class KeyShares {
  private static final String PREFERRED = "x25519";

  private volatile boolean all;

  /** A connection could not be made, for whatever reason but that nobody listens. */
  void failed(IOException why) {
    if (!(why instanceof ConnectException)) {
      all = true;
    }
  }

  /** Makes the same sockets, which offer these groups. */
  SSLSocketFactory of(SSLSocketFactory sockets) {
    return new LayeredSockets(sockets) {
      @Override
      public Socket createSocket(Socket under, String host, int port, boolean close)
          throws IOException {
        Socket socket = super.createSocket(under, host, port, close);
        if (!all && socket instanceof SSLSocket secure) {
          offerPreferred(secure);
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
