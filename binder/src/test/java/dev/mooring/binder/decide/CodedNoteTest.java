package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodedNoteTest {
  @ParameterizedTest
  @EnumSource
  void of_noteOfEveryReason_returnsTheReason(Reason why) {
    String note = CodedNote.note(why, "pool [a]; what to do: b");
    assertThat(CodedNote.of(note)).contains(why);
    assertThat(CodedNote.withoutCode(note)).isEqualTo("pool [a]; what to do: b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no code", "a [NoSuchCode]; what to do: b", "]; what to do: x"})
  void of_noteWithoutCode_isEmpty(String note) {
    assertThat(CodedNote.of(note)).isEmpty();
    assertThat(CodedNote.withoutCode(note)).isEqualTo(note);
  }

  @Test
  void codes_allReasons_areUnique() {
    assertThat(Stream.of(Reason.values()).map(Reason::code)).doesNotHaveDuplicates();
  }
}
