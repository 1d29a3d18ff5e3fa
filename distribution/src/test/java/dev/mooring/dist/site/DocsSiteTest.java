package dev.mooring.dist.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsSiteTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Pattern TARGET = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
  private static final Pattern ELEMENT_ID = Pattern.compile(" id=\"([^\"]+)\"");
  private static final String EXTERNAL = "[a-z]+:.*";

  /** The site of this documentation. */
  @TempDir private static Path site;

  @TempDir private Path folder;

  @BeforeAll
  static void writeSite() throws IOException {
    DocsSite.write(CHECKOUT, "1.0.0", site);
  }

  private static Map<Path, String> readHtml(Path site) throws IOException {
    Map<Path, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.walk(site)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".html")).toList()) {
        pages.put(file, Files.readString(file));
      }
    }
    return pages;
  }

  private Path writeSiteOf(String... filesAndContents) throws IOException {
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    Files.createDirectories(checkout.resolve("docs"));
    Files.writeString(checkout.resolve("README.md"), "# Mooring");
    Files.writeString(checkout.resolve("docs/README.md"), "# Documentation");
    for (int i = 0; i < filesAndContents.length; i += 2) {
      Files.writeString(checkout.resolve(filesAndContents[i]), filesAndContents[i + 1]);
    }
    Path into = folder.resolve("site");
    DocsSite.write(checkout, "1.0.0", into);
    return into;
  }

  @Test
  void links_ofThisDocumentation_leadToFilesAndAnchors() throws IOException {
    Map<Path, String> pages = readHtml(site);
    List<String> broken = new ArrayList<>();
    pages.forEach((file, html) -> {
      for (MatchResult link : TARGET.matcher(html).results().toList()) {
        String[] target = link.group(1).split("#", 2);
        if (link.group(1).matches(EXTERNAL)) {
          continue;
        }
        Path linked = target[0].isEmpty() ? file : file.resolveSibling(target[0]).normalize();
        boolean isAnchorFound =
            target.length == 1
                || ELEMENT_ID
                    .matcher(pages.getOrDefault(linked, ""))
                    .results()
                    .anyMatch(id -> id.group(1).equals(target[1]));
        if (!Files.isRegularFile(linked) || !isAnchorFound) {
          broken.add(site.relativize(file) + ": " + link.group(1));
        }
      }
    });
    assertThat(broken).isEmpty();
    assertThat(pages).hasSizeGreaterThan(60);
    assertThat(pages.values()).allMatch(html -> html.contains("<h1"));
  }

  @Test
  void pages_ofThisDocumentation_loadNothingFromOtherSites() throws IOException {
    Pattern loaded = Pattern.compile("<(?:script|link|img|iframe)[^>]+(?:href|src)=\"[a-z]*:?//");
    assertThat(readHtml(site).values()).noneMatch(html -> loaded.matcher(html).find());
    assertThat(Files.readString(site.resolve("site.css"))).doesNotContain("url(", "@import");
    assertThat(Files.readString(site.resolve("site.js")))
        .doesNotContain("//cdn", "http:", "https:");
  }

  @Test
  void contents_ofThisDocumentation_listEachPageOnce() throws IOException {
    String html = Files.readString(site.resolve("docs/install.html"));
    String contents = html.substring(html.indexOf("<nav"));
    try (Stream<Path> docs = Files.list(CHECKOUT.resolve("docs"))) {
      assertThat(docs.map(page -> page.getFileName().toString()).filter(n -> n.endsWith(".md")))
          .allSatisfy(name ->
              assertThat(contents)
                  .containsOnlyOnce(
                      "docs/" + name.replace("README", "index").replace(".md", ".html") + "\""));
    }
    assertThat(contents)
        .contains("<h2>Install and operate</h2>", "aria-current=\"page\">Install Mooring</a>")
        .contains("<li><a href=\"#choose-a-mode\">Choose a mode</a></li>")
        .doesNotContain("Choose your role");
  }

  @Test
  void searchIndex_pageWithSubheading_hasEntryForEachWithText() throws IOException {
    Path pages =
        writeSiteOf(
            "README.md",
            "# Mooring\nFirst `words`.\n\n## The table\n\n| a | b |\n|---|---|\n| one | two |\n");
    String script = Files.readString(pages.resolve("search-index.js"));
    JsonArray entries =
        JsonParser.parseString(script.substring("searchIndex(".length(), script.lastIndexOf(')')))
            .getAsJsonArray();
    assertThat(entries.asList())
        .map(JsonElement::toString)
        .contains(
            "[\"index.html\",\"Mooring\",\"\",\"First words.\"]",
            "[\"index.html#the-table\",\"Mooring\",\"The table\",\"a b one two\"]");
  }

  @Test
  void headings_specialCharactersAndRepetitions_haveAnchorsOfGithub() throws IOException {
    Path pages =
        writeSiteOf(
            "README.md",
            "# Mooring\n## A volume is kept (event `VolumeKept`)\n## Größe, e.g. 2_Gi\n## Twice\n## Twice\n");
    assertThat(Files.readString(pages.resolve("index.html")))
        .contains(
            "<h2 id=\"a-volume-is-kept-event-volumekept\">",
            "<h2 id=\"größe-eg-2_gi\">",
            "<h2 id=\"twice\">",
            "<h2 id=\"twice-1\">");
  }

  @Test
  void links_toPagesDirectoriesAndFiles_areTranslated() throws IOException {
    Files.createDirectories(folder.resolve("checkout/core"));
    Path pages =
        writeSiteOf(
            "docs/README.md",
            "# Docs\n[a](../README.md#top) [b](../core) [c](../LICENSE) [d](https://example.com/x.md) [e](#docs)",
            "core/README.md",
            "# Core",
            "LICENSE",
            "terms",
            "README.md",
            "# Mooring\n## Top");
    assertThat(Files.readString(pages.resolve("docs/index.html")))
        .contains(
            "href=\"../index.html#top\">a<",
            "href=\"../core/index.html\">b<",
            "href=\"../LICENSE.txt\">c<",
            "href=\"https://example.com/x.md\">d<",
            "href=\"#docs\">e<");
    assertThat(pages.resolve("LICENSE.txt")).hasContent("terms");
  }

  @Test
  void linkText_nameOfPage_isReplacedByTitle() throws IOException {
    Path pages =
        writeSiteOf(
            "README.md",
            "# Mooring\n[a.md](docs/a.md) [b](docs/a.md) [docs](docs)",
            "docs/a.md",
            "# Install it");
    assertThat(Files.readString(pages.resolve("index.html")))
        .contains(
            "href=\"docs/a.html\">Install it<",
            "href=\"docs/a.html\">b<",
            "href=\"docs/index.html\">docs<");
  }

  @Test
  void html_inMarkdown_isEscaped() throws IOException {
    Path site = writeSiteOf("README.md", "# A `<b>` & \"c\"\n<script>alert(1)</script>\n");
    assertThat(Files.readString(site.resolve("index.html")))
        .contains("<title>A &lt;b&gt; &amp; &quot;c&quot; · Mooring</title>")
        .doesNotContain("<script>alert");
  }

  @Test
  void links_toAbsentFileOrHeading_areRefused() {
    assertThatThrownBy(() -> writeSiteOf("README.md", "# M\n[a](docs/none.md)"))
        .isInstanceOf(DocsSite.BrokenLinkException.class)
        .hasMessage(
            "README.md links to docs/none.md, which does not exist; correct the link in the page");
    assertThatThrownBy(() -> writeSiteOf("README.md", "# M\n[a](docs/README.md#none)"))
        .isInstanceOf(DocsSite.BrokenLinkException.class)
        .hasMessageContaining("docs/README.md#none");
    assertThatThrownBy(() -> writeSiteOf("README.md", "# M\n[a](../../etc/passwd)"))
        .isInstanceOf(DocsSite.BrokenLinkException.class);
  }
}
