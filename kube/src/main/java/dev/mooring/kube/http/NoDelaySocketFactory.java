package dev.mooring.kube.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Creates sockets with TCP_NODELAY, which the HTTP client does not set. By default a small write
 * waits for the acknowledgement of the previous one: a round trip, or 40 ms if the peer delays it.
 * Many small requests share a connection here.
 */
final class NoDelaySocketFactory extends SocketFactory {
  private static Socket disableDelay(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return socket;
  }

  @Override
  public Socket createSocket() throws IOException {
    return disableDelay(new Socket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return disableDelay(new Socket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return disableDelay(new Socket(host, port, localAddress, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return disableDelay(new Socket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return disableDelay(new Socket(host, port, localAddress, localPort));
  }
}
