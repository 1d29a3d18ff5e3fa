package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import java.io.IOException;

/** How an answer goes out over a connection. Called by one thread at a time. */
interface Answering {
  /**
   * Sends the head.
   *
   * @param length of the body in bytes, 0 if it is not known, -1 if there is none
   */
  void head(int code, Headers headers, long length) throws IOException;

  /** Sends a piece of the body; waits while the client does not take any more. */
  void piece(byte[] bytes, int from, int length) throws IOException;

  /** Fails if nobody takes any more. */
  void mustBeOpen() throws IOException;

  /** That was all. */
  void end();

  /** There is no answer, or none that was ended: whoever waits for it is to know. */
  void cut();
}
