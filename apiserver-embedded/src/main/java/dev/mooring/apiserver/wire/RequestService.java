package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;

record RequestService(HttpHandler handler, Executor threads) {
  private static final System.Logger LOG = System.getLogger(RequestService.class.getName());

  void serve(WireExchange exchange) {
    try {
      handler.handle(exchange);
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, () -> exchange.getRequestURI() + " was not answered", closed);
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, () -> exchange.getRequestURI() + " failed with a bug", bug);
    } finally {
      exchange.close();
    }
  }
}
