package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Prevents Logback's search for configuration files, because {@link LogSetup} configures it. Loaded
 * by ServiceLoader.
 */
public final class LogbackConfigurator extends ContextAwareBase implements Configurator {
  public LogbackConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
