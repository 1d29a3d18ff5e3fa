package dev.mooring.plugin.csi;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports when a channel is lost, and reconnects it. gRPC's own back-off grows to two minutes after
 * repeated failures, although a connection attempt on the same machine is cheap. Thread-safe.
 */
final class ChannelWatch {
  private static final long PAUSE_MILLIS = 500;

  private final ManagedChannel channel;
  private final ScheduledExecutorService timers;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean reconnectScheduled = new AtomicBoolean();

  ChannelWatch(ManagedChannel channel, ScheduledExecutorService timers) {
    this.channel = channel;
    this.timers = timers;
  }

  void onLoss(Runnable listener) {
    listeners.add(listener);
  }

  void start() {
    watchFrom(channel.getState(false));
  }

  private void watchFrom(ConnectivityState lastState) {
    channel.notifyWhenStateChanged(lastState, () -> stateChanged(lastState));
  }

  // Several changes may have happened between two callbacks: the channel may be ready again.
  private void stateChanged(ConnectivityState lastState) {
    boolean wasReady = lastState == ConnectivityState.READY;
    ConnectivityState state = channel.getState(wasReady);
    if (state == ConnectivityState.SHUTDOWN) {
      return;
    }
    if (wasReady) {
      listeners.forEach(Runnable::run);
    }
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      scheduleReconnect();
    }
    watchFrom(state);
  }

  // Repeated until connected: an unconnected channel does not report its attempts.
  private void scheduleReconnect() {
    if (reconnectScheduled.compareAndSet(false, true)) {
      timers.schedule(this::reconnect, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void reconnect() {
    reconnectScheduled.set(false);
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
      scheduleReconnect();
    }
  }
}
