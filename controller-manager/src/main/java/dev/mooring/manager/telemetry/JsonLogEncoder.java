package dev.mooring.manager.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/**
 * Log lines in the JSON format of Kubernetes' components: {@code ts} in milliseconds since the
 * epoch, {@code v} except in errors, {@code msg}, and the fields. Adds {@code level}, {@code
 * logger} and {@code stacktrace}.
 */
final class JsonLogEncoder extends LogEncoder {
  private static final int DEBUG_VERBOSITY = 2;
  private static final int MICRO_DIGITS = 3; // of a millisecond
  private static final int NANOS_PER_MICRO = 1000;

  private final Gson gson = new GsonBuilder().disableHtmlEscaping().create();

  JsonLogEncoder() {}

  @Override
  String format(ILoggingEvent event, Map<String, String> fields, String stackTrace) {
    JsonObject line = new JsonObject();
    line.addProperty("ts", timestamp(event.getInstant()));
    line.addProperty("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    if (!event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      line.addProperty("v", event.getLevel().isGreaterOrEqual(Level.INFO) ? 0 : DEBUG_VERBOSITY);
    }
    line.addProperty("logger", event.getLoggerName());
    line.addProperty("msg", event.getFormattedMessage());
    fields.forEach(line::addProperty);
    if (!stackTrace.isEmpty()) {
      line.addProperty("stacktrace", stackTrace);
    }
    return gson.toJson(line);
  }

  private static BigDecimal timestamp(Instant time) {
    long micros =
        Math.addExact(
            Math.multiplyExact(time.getEpochSecond(), 1_000_000L),
            time.getNano() / NANOS_PER_MICRO);
    return BigDecimal.valueOf(micros, MICRO_DIGITS);
  }
}
