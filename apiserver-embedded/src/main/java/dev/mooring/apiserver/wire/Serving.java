package dev.mooring.apiserver.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes what comes over a channel, and knows whether the other side takes what is sent. Called by
 * Netty's threads, and by those that answer.
 *
 * @param <T> what comes
 */
abstract class Serving<T> extends SimpleChannelInboundHandler<T> {
  private final Channel channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  Serving(Channel channel) {
    this.channel = channel;
  }

  /**
   * Waits until there is room for more.
   *
   * @throws IOException if the client is gone
   */
  final void awaitRoom() throws IOException {
    lock.lock();
    try {
      while (channel.isActive() && !channel.isWritable()) {
        changed.await();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("the server stops", stopped);
    } finally {
      lock.unlock();
    }
    mustBeOpen();
  }

  /** Fails if the client is gone. */
  final void mustBeOpen() throws IOException {
    if (!channel.isActive()) {
      throw new IOException("the client is gone");
    }
  }

  private void changed() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext context) {
    changed();
    context.fireChannelWritabilityChanged();
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    changed();
    context.fireChannelInactive();
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
    context.close(); // it is no HTTP, was reset, or is gone
  }
}
