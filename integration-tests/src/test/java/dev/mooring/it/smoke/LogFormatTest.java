package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.JavaProcess;
import org.junit.jupiter.api.Test;

/** The format of the log in docs/operations.md. */
class LogFormatTest {
  private static final String TEXT_LINE =
      "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) (INFO|WARN|ERROR) +\\S.*[^ ,:;]";

  @Test
  void textLog_ofRun_hasOneFormatAndStartsWithVersion() throws Exception {
    try (JavaProcess run = JavaProcess.startMooring("run", "--embedded", "--endpoints=off")) {
      run.awaitLine(line -> line.contains(" running "));
      run.stop();
      assertThat(run.output()).allSatisfy(line -> assertThat(line).matches(TEXT_LINE));
      assertThat(run.output().getFirst())
          .contains(" INFO  starting mooring version=", " java=25", " pid=" + run.pid());
    }
  }

  @Test
  void jsonLog_ofRun_hasFieldsOfKubernetes() throws Exception {
    try (JavaProcess run =
        JavaProcess.startMooring("run", "--embedded", "--endpoints=off", "--logging-format=json")) {
      run.awaitLine(line -> line.contains("\"running "));
      run.stop();
      assertThat(run.output())
          .allSatisfy(line -> {
            JsonObject fields = JsonParser.parseString(line).getAsJsonObject();
            assertThat(fields.keySet()).startsWith("ts", "level", "v", "logger", "msg");
            assertThat(fields.get("ts").getAsLong()).isPositive();
            assertThat(fields.get("msg").getAsString()).isNotBlank();
          });
      assertThat(JsonParser.parseString(run.output().getFirst()).getAsJsonObject().keySet())
          .contains("version", "java", "pid");
    }
  }
}
