package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

/** Nobody sees what the run that fills the AOT cache says, and a start without it is just slow. */
class TlsRehearsalTest {
  @Test
  void aServerWithTlsIsAskedAndAnswers() {
    assertThatCode(TlsRehearsal::run).doesNotThrowAnyException();
  }
}
