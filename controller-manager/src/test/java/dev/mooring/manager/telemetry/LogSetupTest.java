package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.text.LogMessage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("replaces the standard streams")
class LogSetupTest {
  private static final System.Logger LOG = System.getLogger("dev.mooring.Test");
  private static final LogMessage ATTACH_FAILURE =
      LogMessage.of("attach failed; retrying")
          .with(LogMessage.PV, "pv-1")
          .with(LogMessage.NODE, "n1")
          .with(LogMessage.ERR, "disk is busy");

  private static List<String> capture(boolean json, Runnable logging) {
    PrintStream err = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      LogSetup.configure(json, false, false);
      logging.run();
    } finally {
      System.setErr(err);
      LogSetup.configure(false, false, false);
    }
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static JsonObject parse(String line) {
    return JsonParser.parseString(line).getAsJsonObject();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void log_hiddenCharacters_areFiltered(boolean json) {
    List<String> lines =
        capture(
            json,
            () ->
                LOG.log(
                    Level.WARNING,
                    "claim \u4e2d is \u009b2J\u202e\udb40\udc41 gone",
                    new IllegalStateException("b\u009bc")));
    assertThat(String.join("\n", lines))
        .contains("claim \u4e2d is \ufffd2J\ufffd\ufffd gone", "b\ufffdc")
        .doesNotContain("\u009b", "\u202e", "\udb40\udc41");
  }

  @Test
  void textLine_withFields_hasDateZoneLevelMessageAndPairs() {
    List<String> lines = capture(false, () -> LOG.log(Level.WARNING, ATTACH_FAILURE));
    assertThat(lines)
        .singleElement()
        .asString()
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) WARN  attach failed; retrying pv=pv-1 node=n1 err=\"disk is busy\"");
  }

  @Test
  void mutedThread_andThreadsThatItStarts_logNothing() {
    List<String> lines =
        capture(
            false,
            () -> {
              try (MutedThreads.Scope _ = MutedThreads.mute()) {
                LOG.log(Level.ERROR, "muted");
                CompletableFuture.runAsync(
                        () -> LOG.log(Level.ERROR, "muted too"), Thread::startVirtualThread)
                    .join();
              }
              LOG.log(Level.ERROR, "audible");
            });
    assertThat(lines).singleElement().asString().contains("audible");
  }

  @Test
  void jsonLog_ofLibrary_isOneLine() {
    List<String> lines =
        capture(
            true,
            () ->
                java.util.logging.Logger.getLogger("io.grpc.Channel")
                    .warning("driver is\u009b gone"));
    JsonObject line = parse(assertThat(lines).singleElement().actual());
    assertThat(line.get("logger").getAsString()).isEqualTo("io.grpc.Channel");
    assertThat(line.get("msg").getAsString()).isEqualTo("driver is\ufffd gone");
  }

  @Test
  void jsonLine_withFields_hasShapeOfKubernetes() {
    long before = System.currentTimeMillis();
    List<String> lines = capture(true, () -> LOG.log(Level.WARNING, ATTACH_FAILURE));
    JsonObject line = parse(lines.getFirst());
    assertThat(line.keySet())
        .containsExactly("ts", "level", "v", "logger", "msg", "pv", "node", "err");
    assertThat(line.get("ts").getAsDouble())
        .isBetween((double) before, System.currentTimeMillis() + 1.0);
    assertThat(line.get("level").getAsString()).isEqualTo("warn");
    assertThat(line.get("v").getAsInt()).isZero();
    assertThat(line.get("msg").getAsString()).isEqualTo("attach failed; retrying");
    assertThat(line.get("pv").getAsString()).isEqualTo("pv-1");
    assertThat(line.get("err").getAsString()).isEqualTo("disk is busy");
  }

  @Test
  void jsonLine_ofError_hasNoVerbosity() {
    List<String> lines = capture(true, () -> LOG.log(Level.ERROR, "no right {0}", "get"));
    JsonObject line = parse(lines.getFirst());
    assertThat(line.has("v")).isFalse();
    assertThat(line.get("msg").getAsString()).isEqualTo("no right get");
  }

  private static IllegalStateException fault(String message) {
    return new IllegalStateException(message);
  }

  @Test
  void fault_repeated_hasOneStackTraceAndErrorInEachLine() {
    List<String> lines =
        capture(
            false,
            () -> {
              for (String disk : List.of("a", "b", "c")) {
                LOG.log(Level.ERROR, LogMessage.of("reconcile failed").withCause(fault(disk)));
              }
            });
    assertThat(lines).filteredOn(line -> line.contains("LogSetupTest.fault(")).hasSize(1);
    assertThat(lines)
        .filteredOn(line -> line.contains(" ERROR reconcile failed err="))
        .hasSize(3)
        .last()
        .asString()
        .endsWith("err=\"java.lang.IllegalStateException: c\"");
  }

  @Test
  void fault_otherKind_hasOwnStackTrace() {
    List<String> lines =
        capture(
            true,
            () -> {
              LOG.log(Level.ERROR, "first", fault("a"));
              LOG.log(Level.ERROR, "second", new UnsupportedOperationException("b"));
            });
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(line ->
            assertThat(parse(line).get("stacktrace").getAsString()).contains("LogSetupTest"));
  }
}
