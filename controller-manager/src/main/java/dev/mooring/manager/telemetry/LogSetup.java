package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** Log output: one line per event on standard error, as text or JSON. */
public final class LogSetup {
  private LogSetup() {}

  public static void configure(boolean json, boolean verbose, boolean quiet) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    Encoder<ILoggingEvent> encoder;
    if (json) {
      JsonEncoder jsonEncoder = new JsonEncoder();
      jsonEncoder.setContext(context);
      jsonEncoder.start();
      encoder = jsonEncoder;
    } else {
      PatternLayoutEncoder textEncoder = new PatternLayoutEncoder();
      textEncoder.setContext(context);
      textEncoder.setCharset(StandardCharsets.UTF_8);
      textEncoder.setPattern("%d{HH:mm:ss.SSS} %-5level %msg%n%ex{6}");
      textEncoder.start();
      encoder = textEncoder;
    }
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(new PlainEncoder(encoder));
    console.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(console);
    root.setLevel(quiet ? Level.ERROR : Level.WARN);
    context
        .getLogger("dev.mooring")
        .setLevel(quiet ? Level.ERROR : verbose ? Level.DEBUG : Level.INFO);
    context.getLogger("plugin").setLevel(verbose ? Level.DEBUG : Level.INFO);
  }
}
