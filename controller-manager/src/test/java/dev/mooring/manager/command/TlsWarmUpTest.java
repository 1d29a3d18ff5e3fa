package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

/**
 * A failed warm-up is invisible otherwise: its output is discarded, and starts are merely slower.
 */
class TlsWarmUpTest {
  @Test
  void run_noServer_throwsNothing() {
    assertThatCode(TlsWarmUp::run).doesNotThrowAnyException();
  }
}
