package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lines for a terminal of 80 columns. */
class PageTest {
  private static String page(String heading, String text) {
    Page page = new Page();
    page.put(heading, text);
    return page.toString();
  }

  @Test
  void longTextGoesOnUnderItsBeginning() {
    assertThat(page("Next    ", "word ".repeat(30)).lines())
        .hasSize(3)
        .allMatch(line -> line.length() <= 80)
        .allMatch(line -> line.startsWith("Next    ") || line.startsWith("        word"));
  }

  @Test
  void aWordThatIsLongerThanALineIsCut() {
    assertThat(page("  ", "short " + "x".repeat(253)).lines())
        .allMatch(line -> line.length() <= 80)
        .anyMatch(line -> line.equals("  short"));
    assertThat(page("  ", "x".repeat(253)).replaceAll("[\n ]", "")).hasSize(253);
  }

  @Test
  void aNameThatFollowsASlashStaysWhole() {
    String name = "csi-" + "0".repeat(64);
    assertThat(page("", "volumeattachment/" + name)).isEqualTo("volumeattachment/\n" + name);
  }

  @Test
  void whatATenantWritesDoesNotSteerTheTerminal() {
    assertThat(page("", "a\u001b[2Jb\u202ec\u0007\r\nd")).isEqualTo("a?[2Jb?c?? d");
  }

  @Test
  void nothingIsALineToo() {
    assertThat(page("Note    ", "")).isEqualTo("Note");
  }
}
