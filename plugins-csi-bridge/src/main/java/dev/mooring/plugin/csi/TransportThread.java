package dev.mooring.plugin.csi;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The event loop that all connections share. It exists while a connection is open: its thread would
 * keep the classes of this plugin in memory after the plugin is unloaded. Thread-safe.
 */
final class TransportThread {
  private static final int STOP_GRACE_SECONDS = 2;

  private @Nullable EventLoopGroup eventLoop; // guarded by this
  private int connections; // guarded by this

  private static ThreadFactory daemonThreadFactory() {
    return Thread.ofPlatform().daemon().name("csi-transport-", 0).factory();
  }

  /**
   * Returns the event loop for a new connection, which must call {@link #release} once at its end.
   * Answers are small; one thread suffices for thousands per second.
   */
  synchronized EventLoopGroup acquire() {
    if (eventLoop == null) {
      eventLoop =
          new MultiThreadIoEventLoopGroup(1, daemonThreadFactory(), NioIoHandler.newFactory());
    }
    connections++;
    return eventLoop;
  }

  // waits, because the thread may load classes of this plugin until it ends
  void release() {
    EventLoopGroup unused = takeUnused();
    if (unused != null) {
      unused.shutdownGracefully(0, STOP_GRACE_SECONDS, TimeUnit.SECONDS);
      try {
        unused.awaitTermination(STOP_GRACE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized @Nullable EventLoopGroup takeUnused() {
    if (--connections > 0) {
      return null;
    }
    EventLoopGroup unused = eventLoop;
    eventLoop = null;
    return unused;
  }
}
