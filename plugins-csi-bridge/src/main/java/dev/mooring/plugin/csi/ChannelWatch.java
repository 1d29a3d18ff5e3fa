package dev.mooring.plugin.csi;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is below a channel: says when it was lost, and connects again. gRPC itself would wait longer
 * after every failure, up to two minutes; a socket on this machine costs nothing to ask.
 * Thread-safe.
 */
final class ChannelWatch {
  private static final long PAUSE_MILLIS = 500;

  private final ManagedChannel channel;
  private final ScheduledExecutorService timers;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean waiting = new AtomicBoolean();

  ChannelWatch(ManagedChannel channel, ScheduledExecutorService timers) {
    this.channel = channel;
    this.timers = timers;
  }

  void onLoss(Runnable listener) {
    listeners.add(listener);
  }

  /** Begins; ends with the channel. */
  void watch() {
    await(channel.getState(false));
  }

  private void await(ConnectivityState seen) {
    channel.notifyWhenStateChanged(seen, () -> changed(seen));
  }

  /** Between two looks there may have been more changes than one: it was ready, and was not. */
  private void changed(ConnectivityState before) {
    boolean lost = before == ConnectivityState.READY;
    ConnectivityState now = channel.getState(lost);
    if (now == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (lost) {
      listeners.forEach(Runnable::run);
    }
    if (now == ConnectivityState.TRANSIENT_FAILURE) {
      again();
    }
    await(now);
  }

  /** Until it is connected: while it is not, the channel does not say that it tried. */
  private void again() {
    if (waiting.compareAndSet(false, true)) {
      timers.schedule(this::connect, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void connect() {
    waiting.set(false);
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
      again();
    }
  }
}
