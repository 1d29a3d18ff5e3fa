package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import java.io.IOException;

/** Sends an answer over a connection. Called by one thread at a time. */
interface AnswerWriter {
  /**
   * Sends the head.
   *
   * @param length the body's length in bytes; 0 if unknown, -1 without a body
   */
  void sendHead(int code, Headers headers, long length) throws IOException;

  /** Sends a part of the body; blocks while the client does not read. */
  void sendChunk(byte[] bytes, int offset, int length) throws IOException;

  /** Throws if the client has closed the connection. */
  void requireOpen() throws IOException;

  void finish();

  /** Aborts an answer that did not start or is incomplete, so that the client notices. */
  void abort();
}
