package dev.mooring.apiserver.wire;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

final class PlainConnection implements ByteConnection {
  private static final System.Logger LOG = System.getLogger(PlainConnection.class.getName());
  // the channel copies each part into a direct buffer of the same size
  private static final int MAX_PART_BYTES = 64 * 1024;

  private final SocketChannel channel;
  private final WireExchange.ConnectionEnds ends;

  PlainConnection(SocketChannel channel) throws IOException {
    this.channel = channel;
    this.ends =
        new WireExchange.ConnectionEnds(
            null,
            (InetSocketAddress) channel.getRemoteAddress(),
            (InetSocketAddress) channel.getLocalAddress());
  }

  @Override
  public WireExchange.ConnectionEnds ends() {
    return ends;
  }

  @Override
  public int read(byte[] target) throws IOException {
    return channel.read(ByteBuffer.wrap(target));
  }

  @Override
  public int readAvailable(byte[] target) throws IOException {
    channel.configureBlocking(false);
    try {
      return channel.read(ByteBuffer.wrap(target));
    } finally {
      channel.configureBlocking(true);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    int end = buffer.limit();
    while (buffer.position() < end) {
      buffer.limit(Math.min(end, buffer.position() + MAX_PART_BYTES));
      channel.write(buffer);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a connection is not closed in order", e);
    }
  }
}
