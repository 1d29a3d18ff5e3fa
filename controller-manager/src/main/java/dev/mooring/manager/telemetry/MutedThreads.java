package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.Marker;

/** Threads without log lines, because their work concerns no object of the cluster. */
public final class MutedThreads extends TurboFilter {
  private static final InheritableThreadLocal<Boolean> MUTED = new InheritableThreadLocal<>();

  /** End of the muted part of a thread. */
  public interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /** Mutes this thread until the scope is closed, and the threads that it starts for ever. */
  public static Scope mute() {
    MUTED.set(true);
    return MUTED::remove;
  }

  @Override
  public FilterReply decide(
      Marker marker, Logger logger, Level level, String format, Object[] params, Throwable t) {
    return MUTED.get() == null ? FilterReply.NEUTRAL : FilterReply.DENY;
  }
}
