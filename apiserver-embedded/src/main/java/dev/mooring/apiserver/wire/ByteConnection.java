package dev.mooring.apiserver.wire;

import java.io.IOException;

/** The bytes of a connection. One thread at a time reads, and one thread at a time writes. */
interface ByteConnection {
  WireExchange.ConnectionEnds ends();

  /** Waits for bytes; returns their number, or -1 after the last. */
  int read(byte[] target) throws IOException;

  /** Reads without waiting; returns 0 if no byte has arrived, or -1 after the last. */
  int readAvailable(byte[] target) throws IOException;

  /** Sends the bytes; blocks while the client does not read. The caller may reuse the array. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /** Closes the connection after the bytes that were written. */
  void close();
}
