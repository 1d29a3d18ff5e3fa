package dev.mooring.apiserver.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The decrypted bytes of a channel, for an HTTP/1.1 client. */
final class TlsConnection extends RequestChannel<ByteBuf> implements ByteConnection {
  private final Channel channel;
  private final WireExchange.ConnectionEnds ends;
  private final Queue<ByteBuffer> arrived = new ConcurrentLinkedQueue<>();

  TlsConnection(Channel channel, WireExchange.ConnectionEnds ends) {
    super(channel);
    this.channel = channel;
    this.ends = ends;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
    if (bytes.isReadable()) {
      arrived.add(ByteBuffer.wrap(ByteBufUtil.getBytes(bytes)));
      signalChange();
    }
  }

  @Override
  public WireExchange.ConnectionEnds ends() {
    return ends;
  }

  @Override
  public int read(byte[] target) throws IOException {
    int length = readAvailable(target);
    while (length == 0) {
      awaitState(() -> !arrived.isEmpty());
      length = readAvailable(target);
    }
    return length;
  }

  @Override
  public int readAvailable(byte[] target) {
    boolean isOpen = channel.isActive(); // before the last bytes are taken
    ByteBuffer next = arrived.peek();
    if (next == null) {
      if (!isOpen) {
        return -1;
      }
      channel.read();
      return 0;
    }
    int length = Math.min(next.remaining(), target.length);
    next.get(target, 0, length);
    if (!next.hasRemaining()) {
      arrived.remove();
    }
    return length;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    awaitWritable();
    byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
    channel
        .writeAndFlush(Unpooled.wrappedBuffer(copy))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  @Override
  public void close() {
    if (!channel.isActive()) {
      return; // the event loop may have stopped too
    }
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }
}
