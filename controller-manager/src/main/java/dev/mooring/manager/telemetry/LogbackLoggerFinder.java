package dev.mooring.manager.telemetry;

import dev.mooring.text.LogMessage;
import java.text.MessageFormat;
import java.util.Map;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Sends {@link System.Logger} to Logback, with the fields of a {@link LogMessage}. Loaded by
 * ServiceLoader.
 */
public final class LogbackLoggerFinder extends System.LoggerFinder {
  public LogbackLoggerFinder() {}

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new LogbackLogger(LoggerFactory.getLogger(name));
  }

  private record LogbackLogger(org.slf4j.Logger logger) implements System.Logger {
    @Override
    public String getName() {
      return logger.getName();
    }

    @Override
    public boolean isLoggable(Level level) {
      return level != Level.OFF && logger.isEnabledForLevel(toSlf4j(level));
    }

    @Override
    public void log(Level level, Object object) {
      if (!isLoggable(level)) {
        return;
      }
      if (object instanceof LogMessage message) {
        LoggingEventBuilder line = logger.atLevel(toSlf4j(level));
        for (Map.Entry<String, String> field : message.fields().entrySet()) {
          line = line.addKeyValue(field.getKey(), field.getValue());
        }
        line.setCause(message.cause()).log(message.text());
      } else {
        log(level, null, object.toString(), (Throwable) null);
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String text,
        @Nullable Throwable cause) {
      if (isLoggable(level)) {
        logger.atLevel(toSlf4j(level)).setCause(cause).log(localize(bundle, text));
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... arguments) {
      if (isLoggable(level)) {
        String text = localize(bundle, format);
        logger
            .atLevel(toSlf4j(level))
            .log(
                arguments == null || arguments.length == 0
                    ? text
                    : MessageFormat.format(text, arguments));
      }
    }

    private static String localize(@Nullable ResourceBundle bundle, @Nullable String text) {
      return bundle != null && text != null && bundle.containsKey(text)
          ? bundle.getString(text)
          : String.valueOf(text);
    }

    private static org.slf4j.event.Level toSlf4j(Level level) {
      return switch (level) {
        case ALL, TRACE -> org.slf4j.event.Level.TRACE;
        case DEBUG -> org.slf4j.event.Level.DEBUG;
        case INFO -> org.slf4j.event.Level.INFO;
        case WARNING -> org.slf4j.event.Level.WARN;
        case ERROR, OFF -> org.slf4j.event.Level.ERROR;
      };
    }
  }
}
