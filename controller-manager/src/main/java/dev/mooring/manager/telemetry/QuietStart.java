package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Keeps Logback from searching for configuration files at start: {@link Logs} configures it. Found
 * by ServiceLoader.
 */
public final class QuietStart extends ContextAwareBase implements Configurator {
  /** For ServiceLoader. */
  public QuietStart() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
