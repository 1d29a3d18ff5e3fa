package dev.mooring.dist.site;

import java.util.List;
import java.util.Map;

// HTML around the content of a page: head, search, and contents of the site.
record PageFrame(String root, String version) {
  private static final String FRAME =
      """
      <!DOCTYPE html>
      <html lang="en" data-root="%s">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%s</title>
      <link rel="stylesheet" href="%1$ssite.css">
      <script defer src="%1$ssite.js"></script>
      </head>
      <body>
      <a class="skip" href="#content">Skip to content</a>
      <header>
      <a class="home" href="%1$sindex.html">Mooring <span>%s</span></a>
      <div id="search"></div>
      <a class="menu" href="#contents">Contents</a>
      </header>
      <main id="content">
      %s</main>
      <nav id="contents" aria-label="Contents">
      %s</nav>
      </body>
      </html>
      """;
  private static final int SHORTEST = 3;

  String render(MarkdownPage page, String content, Map<String, List<MarkdownPage>> groups) {
    String title = page.title().equals("Mooring") ? "Mooring" : page.title() + " · Mooring";
    return FRAME.formatted(
        root, escape(title), escape(version), content, renderContents(page, groups));
  }

  private String renderContents(MarkdownPage current, Map<String, List<MarkdownPage>> groups) {
    StringBuilder html = new StringBuilder();
    groups.forEach((heading, pages) -> {
      if (!heading.isEmpty()) {
        html.append("<h2>").append(escape(heading)).append("</h2>\n");
      }
      html.append("<ul>\n");
      for (MarkdownPage page : pages) {
        boolean isCurrent = page == current;
        html.append("<li><a href=\"")
            .append(root)
            .append(page.address())
            .append(isCurrent ? "\" aria-current=\"page\">" : "\">")
            .append(escape(page.title()))
            .append("</a>")
            .append(isCurrent ? renderHeadings(page) : "")
            .append("</li>\n");
      }
      html.append("</ul>\n");
    });
    return html.toString();
  }

  private static String renderHeadings(MarkdownPage page) {
    List<MarkdownPage.Section> headings =
        page.sections().stream().filter(section -> section.level() == 2).toList();
    if (headings.size() < SHORTEST) {
      return "";
    }
    StringBuilder html = new StringBuilder("\n<ul>\n");
    for (MarkdownPage.Section heading : headings) {
      html.append("<li><a href=\"#")
          .append(heading.anchor())
          .append("\">")
          .append(escape(heading.heading()))
          .append("</a></li>\n");
    }
    return html.append("</ul>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
