package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestServerTest {
  private static final class AbcdefghiAbcdefghiAbcdefghiAbcdefghiAbcdefghiTest {}

  @Test
  void deriveName_cutAfterWord_endsWithLetter() {
    assertThat(TestServer.deriveName(AbcdefghiAbcdefghiAbcdefghiAbcdefghiAbcdefghiTest.class))
        .isEqualTo("abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi");
  }

  @Test
  void deriveName_classWithoutLatinLetters_isValid() {
    assertThat(TestServer.deriveName(new Object() {}.getClass())).isEqualTo("test");
  }
}
