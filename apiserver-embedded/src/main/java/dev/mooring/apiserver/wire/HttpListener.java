package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Listens for connections. With TLS it speaks HTTP/2, or HTTP/1.1 if the client does not offer
 * HTTP/2, like kube-apiserver. Without TLS it speaks HTTP/1.1. Client certificates are optional.
 * Thread-safe.
 */
public sealed interface HttpListener extends AutoCloseable permits PlainListener, TlsListener {
  /** The server does not keep a longer body; a handler that reads it gets an error. */
  int MAX_BODY = 4 * 1024 * 1024;

  int MAX_HEAD_BYTES = 1024 * 1024;

  int BACKLOG = 1024;

  /**
   * Binds the address.
   *
   * @param tls the TLS context; null for a listener without TLS
   * @throws IOException if the address cannot be bound
   */
  static HttpListener bind(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
    if (tls == null) {
      return new PlainListener(address); // must not load the classes of Netty
    }
    return new TlsListener(address, tls);
  }

  int port();

  /**
   * Starts to serve. Call it once.
   *
   * @param handler serves every request and closes the exchange
   * @param threads run the handler; each task may take as long as its connection is open
   */
  void start(HttpHandler handler, Executor threads);

  /**
   * Releases the port and closes every connection: then requests in progress can send nothing more.
   */
  void disconnect();

  @Override
  void close();
}
