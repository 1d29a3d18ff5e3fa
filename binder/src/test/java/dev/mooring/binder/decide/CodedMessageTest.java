package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodedMessageTest {
  @ParameterizedTest
  @EnumSource
  void parseReason_messageOfEveryReason_returnsTheReason(Reason reason) {
    String message = CodedMessage.encode(reason, "pool [a]; what to do: b");
    assertThat(CodedMessage.parseReason(message)).contains(reason);
    assertThat(CodedMessage.removeCode(message)).isEqualTo("pool [a]; what to do: b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no code", "a [NoSuchCode]; what to do: b", "]; what to do: x"})
  void parseReason_messageWithoutCode_isEmpty(String message) {
    assertThat(CodedMessage.parseReason(message)).isEmpty();
    assertThat(CodedMessage.removeCode(message)).isEqualTo(message);
  }

  @Test
  void codes_allReasons_areUnique() {
    assertThat(Stream.of(Reason.values()).map(Reason::code)).doesNotHaveDuplicates();
  }
}
