package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/** Speaks HTTP/1.1 without TLS. Thread-safe. */
public final class PlainServer implements Listener {
  private static final int BACKLOG = 1024;

  private final HttpServer http;

  /**
   * Has the address from now on.
   *
   * @throws IOException if it cannot be had
   */
  public PlainServer(InetSocketAddress address) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
    this.http = HttpServer.create(address, BACKLOG);
  }

  @Override
  public int port() {
    return http.getAddress().getPort();
  }

  @Override
  public void start(HttpHandler handler, Executor threads) {
    http.setExecutor(threads);
    http.createContext("/", handler);
    http.start();
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
