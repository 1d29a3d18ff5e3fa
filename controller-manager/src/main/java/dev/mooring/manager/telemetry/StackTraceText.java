package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/** Text of an exception of a log event. */
final class StackTraceText {
  private static final int MAX_FRAMES = 12;

  private StackTraceText() {}

  static String describe(IThrowableProxy fault) {
    return fault.getMessage() == null
        ? fault.getClassName()
        : fault.getClassName() + ": " + fault.getMessage();
  }

  static String of(IThrowableProxy fault) {
    StringBuilder text = new StringBuilder(describe(fault));
    appendFrames(text, fault);
    for (IThrowableProxy cause = fault.getCause(); cause != null; cause = cause.getCause()) {
      text.append("\nCaused by: ").append(describe(cause));
      appendFrames(text, cause);
    }
    return text.toString();
  }

  private static void appendFrames(StringBuilder text, IThrowableProxy fault) {
    StackTraceElementProxy[] frames = fault.getStackTraceElementProxyArray();
    int count = frames.length - fault.getCommonFrames();
    for (int i = 0; i < Math.min(MAX_FRAMES, count); i++) {
      text.append("\n    at ").append(frames[i].getStackTraceElement());
    }
    if (count > MAX_FRAMES) {
      text.append("\n    ... ").append(count - MAX_FRAMES).append(" more");
    }
  }
}
