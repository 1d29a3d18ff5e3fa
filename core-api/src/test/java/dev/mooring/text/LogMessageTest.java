package dev.mooring.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogMessageTest {
  @Test
  void toString_fields_followTextAsKeyAndValue() {
    LogMessage message =
        LogMessage.of("attach failed")
            .with(LogMessage.PV, "pv-1")
            .with(LogMessage.NODE, "")
            .with(LogMessage.ERR, "disk \"a\" is\nbusy");
    assertThat(message).hasToString("attach failed pv=pv-1 err=\"disk \\\"a\\\" is\\nbusy\"");
    assertThat(message.fields())
        .isEqualTo(Map.of(LogMessage.PV, "pv-1", LogMessage.ERR, "disk \"a\" is\nbusy"));
  }

  @Test
  void toString_resultOfWrite_isSentence() {
    assertThat(new WriteResult.Written<>("object")).hasToString("written");
    assertThat(new WriteResult.Conflict<>("changed since it was read"))
        .hasToString("conflict: changed since it was read");
    assertThat(new WriteResult.Gone<>()).hasToString("the object is gone");
    assertThat(new WriteResult.Rejected<>(403, "forbidden"))
        .hasToString("rejected with code 403: forbidden");
    assertThat(new WriteResult.Unreachable<>("timeout")).hasToString("no answer: timeout");
  }
}
