package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.mooring.text.LogMessage;
import dev.mooring.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Log lines with the fields of {@link LogMessage}. A stack trace follows only the first line of
 * each kind of fault; field {@code err} names the fault in every line. Thread-safe.
 */
abstract class LogEncoder extends EncoderBase<ILoggingEvent> {
  private static final int MAX_FAULT_KINDS = 1000;
  private static final int FRAMES_OF_KIND = 4;

  private final Set<String> seenFaultKinds = new HashSet<>();

  abstract String format(ILoggingEvent event, Map<String, String> fields, String stackTrace);

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    IThrowableProxy fault = event.getThrowableProxy();
    String stackTrace = fault != null && isNewKind(fault) ? StackTraceText.of(fault) : "";
    String line = format(event, fields(event, fault), stackTrace);
    return (PlainText.filter(line) + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  private static Map<String, String> fields(ILoggingEvent event, @Nullable IThrowableProxy fault) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        fields.put(pair.key, String.valueOf(pair.value));
      }
    }
    if (fault != null) {
      fields.putIfAbsent(LogMessage.ERR, StackTraceText.describe(fault));
    }
    return fields;
  }

  // A bounded memory: faults with more kinds than that are rare, and their traces may repeat.
  private boolean isNewKind(IThrowableProxy fault) {
    StringBuilder kind = new StringBuilder();
    for (IThrowableProxy cause = fault; cause != null; cause = cause.getCause()) {
      kind.append(cause.getClassName());
      StackTraceElementProxy[] frames = cause.getStackTraceElementProxyArray();
      for (int i = 0; i < Math.min(FRAMES_OF_KIND, frames.length); i++) {
        kind.append(frames[i].getStackTraceElement());
      }
    }
    synchronized (seenFaultKinds) {
      if (seenFaultKinds.size() >= MAX_FAULT_KINDS) {
        seenFaultKinds.clear();
      }
      return seenFaultKinds.add(kind.toString());
    }
  }
}
