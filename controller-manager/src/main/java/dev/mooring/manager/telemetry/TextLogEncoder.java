package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.mooring.text.LogMessage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** Log lines as text: {@code 2026-07-28T09:15:30.120Z WARN message pvc=shop/data}. */
final class TextLogEncoder extends LogEncoder {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());

  TextLogEncoder() {}

  @Override
  String format(ILoggingEvent event, Map<String, String> fields, String stackTrace) {
    StringBuilder line =
        new StringBuilder(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())))
            .append(" %-5s ".formatted(event.getLevel()))
            .append(event.getFormattedMessage());
    fields.forEach((name, value) -> line.append(LogMessage.formatField(name, value)));
    return stackTrace.isEmpty() ? line.toString() : line.append('\n').append(stackTrace).toString();
  }
}
