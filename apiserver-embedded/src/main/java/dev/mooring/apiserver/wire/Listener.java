package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import java.util.concurrent.Executor;

/** Has an address, and serves what comes there once it was started. */
public interface Listener extends AutoCloseable {
  /** The port that it listens on. */
  int port();

  /**
   * Serves from now on. Called once.
   *
   * @param handler serves every request, and closes it
   * @param threads on which it does
   */
  void start(HttpHandler handler, Executor threads);

  /** Ends every connection, and gives the port back. */
  @Override
  void close();
}
