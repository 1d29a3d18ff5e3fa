package dev.mooring.kube.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Delegates to another socket factory. The HTTP client calls only the method that layers TLS over
 * an existing connection.
 */
abstract class DelegatingSocketFactory extends SSLSocketFactory {
  private final SSLSocketFactory sockets;

  DelegatingSocketFactory(SSLSocketFactory sockets) {
    this.sockets = sockets;
  }

  @Override
  public Socket createSocket(Socket connection, String host, int port, boolean autoClose)
      throws IOException {
    return sockets.createSocket(connection, host, port, autoClose);
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
  public Socket createSocket(String host, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return sockets.createSocket(host, port, localAddress, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return sockets.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return sockets.createSocket(host, port, localAddress, localPort);
  }
}
