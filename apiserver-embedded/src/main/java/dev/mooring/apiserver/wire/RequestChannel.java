package dev.mooring.apiserver.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Receives messages of a channel and tracks whether the peer reads. Called by Netty's threads and
 * by the threads that answer.
 *
 * @param <T> the type of the messages
 */
abstract class RequestChannel<T> extends SimpleChannelInboundHandler<T> {
  private final Channel channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stateChanged = lock.newCondition();

  RequestChannel(Channel channel) {
    this.channel = channel;
  }

  /**
   * Blocks until the channel is writable.
   *
   * @throws IOException if the client has closed the connection
   */
  final void awaitWritable() throws IOException {
    awaitState(channel::isWritable);
    requireOpen();
  }

  /** Blocks until the condition holds or the channel is closed. */
  final void awaitState(BooleanSupplier condition) throws IOException {
    lock.lock();
    try {
      while (channel.isActive() && !condition.getAsBoolean()) {
        stateChanged.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is stopping", e);
    } finally {
      lock.unlock();
    }
  }

  final void requireOpen() throws IOException {
    if (!channel.isActive()) {
      throw new IOException("the client has closed the connection");
    }
  }

  final void signalChange() {
    lock.lock();
    try {
      stateChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext context) {
    signalChange();
    context.fireChannelWritabilityChanged();
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    signalChange();
    context.fireChannelInactive();
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable error) {
    context.close(); // not HTTP, reset or closed
  }
}
