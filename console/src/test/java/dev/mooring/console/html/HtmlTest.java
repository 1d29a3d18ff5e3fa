package dev.mooring.console.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class HtmlTest {
  private static String render(HtmlNode node) {
    String html = HtmlNode.document(HtmlNode.of("html").add(node));
    return html.substring("<!doctype html>\n<html>".length(), html.length() - "</html>\n".length());
  }

  @Test
  void render_textWithMarkup_isEscaped() {
    assertThat(render(HtmlNode.text("<script>alert('x')</script> & \"y\"")))
        .isEqualTo("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;");
  }

  @Test
  void render_attributeWithMarkup_isEscaped() {
    assertThat(render(HtmlNode.of("p").with("title", "\"><img src=x onerror='y'>")))
        .isEqualTo("<p title=\"&quot;&gt;&lt;img src=x onerror=&#39;y&#39;&gt;\"></p>");
  }

  @Test
  void render_controlCharacters_areReplaced() {
    assertThat(render(HtmlNode.text("a\u0000b\u001bc\u202ed\u2028e\ud800f\ng")))
        .isEqualTo("a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf g");
  }

  @Test
  void render_voidElement_hasNoEndTag() {
    assertThat(render(HtmlNode.of("br"))).isEqualTo("<br>");
  }

  @Test
  void with_scriptOrExternalAddress_throws() {
    assertThatIllegalArgumentException().isThrownBy(() -> HtmlNode.of("p").with("onclick", "x"));
    assertThatIllegalArgumentException().isThrownBy(() -> HtmlNode.of("p").with("style", "x"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HtmlNode.of("a").with("href", "javascript:alert(1)"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HtmlNode.of("a").with("href", "//evil.example.com"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HtmlNode.of("script").with("src", "https://evil.example.com"));
    assertThatIllegalArgumentException().isThrownBy(() -> HtmlNode.of("p onclick=x"));
  }
}
