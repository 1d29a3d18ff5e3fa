package dev.mooring.apiserver.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What both protocols need of Netty. */
final class Channels {
  private Channels() {}

  static ChannelInitializer<Channel> prepared(Consumer<Channel> how) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        how.accept(channel);
      }
    };
  }

  /** What a request is for, as it was sent; null if that is no path of ours, and a bad request. */
  static @Nullable URI target(CharSequence sent) {
    try {
      URI target = new URI(sent.toString());
      return target.getRawPath() == null ? null : target;
    } catch (URISyntaxException none) {
      return null;
    }
  }

  /** Where whoever writes waits until the client takes more. Thread-safe. */
  static final class Room {
    private final Channel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    Room(Channel channel) {
      this.channel = channel;
    }

    /** There may be room again, or nobody any more who could take anything. */
    void changed() {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Waits for room.
     *
     * @throws IOException if the client is gone
     */
    void await() throws IOException {
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
    void mustBeOpen() throws IOException {
      if (!channel.isActive()) {
        throw new IOException("the client is gone");
      }
    }
  }
}
