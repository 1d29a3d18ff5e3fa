package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Log output: one line per event on standard error, as text or JSON. */
public final class LogSetup {
  private LogSetup() {}

  public static void configure(boolean json, boolean verbose, boolean quiet) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.addTurboFilter(new MutedThreads());
    LogEncoder encoder = json ? new JsonLogEncoder() : new TextLogEncoder();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(console);
    root.setLevel(quiet ? Level.ERROR : Level.WARN);
    context
        .getLogger("dev.mooring")
        .setLevel(quiet ? Level.ERROR : verbose ? Level.DEBUG : Level.INFO);
    context.getLogger("plugin").setLevel(verbose ? Level.DEBUG : Level.INFO);
    routeJavaLogging();
  }

  // gRPC, Netty, OkHttp and Guice use java.util.logging, whose own lines are not JSON.
  private static void routeJavaLogging() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  /** Shows informative messages of a class, also in a quiet log. */
  public static void show(Class<?> type) {
    ((LoggerContext) LoggerFactory.getILoggerFactory())
        .getLogger(type.getName())
        .setLevel(Level.INFO);
  }
}
