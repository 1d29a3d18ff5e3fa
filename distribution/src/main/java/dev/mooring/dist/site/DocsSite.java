package dev.mooring.dist.site;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Text;

/** Static pages of README, docs, and every page that they link to, directly or not. */
public final class DocsSite {
  private static final List<String> ASSETS = List.of("site.css", "site.js");

  // Section of the index that lists pages by role, and repeats those of the other sections.
  private static final String ROLES = "Choose your role";

  private static final String EXTERNAL = "[a-z]+:.*";

  /** Thrown for links without target. */
  public static final class BrokenLinkException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenLinkException(Path page, String link) {
      super(
          "%s links to %s, which does not exist; correct the link in the page"
              .formatted(page, link));
    }
  }

  private final Path checkout;
  private final String version;
  private final Map<Path, MarkdownPage> pages = new TreeMap<>();

  // Other files that pages link to, for example images.
  private final TreeSet<Path> files = new TreeSet<>();

  private DocsSite(Path checkout, String version) {
    this.checkout = checkout;
    this.version = version;
  }

  /**
   * Writes the site into a directory.
   *
   * @param checkout directory with README.md and docs
   * @param version version that the pages show
   * @throws BrokenLinkException if a page links to a file or heading that does not exist
   */
  public static void write(Path checkout, String version, Path into) throws IOException {
    DocsSite site = new DocsSite(checkout, version);
    site.readPages();
    for (MarkdownPage page : site.pages.values()) {
      write(into.resolve(page.address()), site.renderPage(page));
    }
    for (Path file : site.files) {
      Path target = into.resolve(addressOfFile(file));
      Files.createDirectories(target.getParent());
      Files.copy(checkout.resolve(file), target, StandardCopyOption.REPLACE_EXISTING);
    }
    for (String asset : ASSETS) {
      try (InputStream in =
          Objects.requireNonNull(DocsSite.class.getResourceAsStream(asset), asset)) {
        Files.copy(in, into.resolve(asset), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    write(into.resolve("search-index.js"), site.renderSearchIndex());
  }

  private static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private void readPages() throws IOException {
    Deque<Path> unread = new ArrayDeque<>(List.of(Path.of("README.md"), Path.of("docs/README.md")));
    while (!unread.isEmpty()) {
      Path source = unread.remove();
      if (pages.containsKey(source)) {
        continue;
      }
      MarkdownPage page = MarkdownPage.read(checkout, source);
      pages.put(source, page);
      List<String> targets = new ArrayList<>();
      page.links().stream().map(Link::getDestination).forEach(targets::add);
      page.images().stream().map(Image::getDestination).forEach(targets::add);
      for (String target : targets) {
        if (!target.matches(EXTERNAL)) {
          Path file = findTarget(page, target);
          if (file.toString().endsWith(".md")) {
            unread.add(file);
          } else {
            files.add(file);
          }
        }
      }
    }
    for (MarkdownPage page : pages.values()) {
      for (Link link : page.links()) {
        if (!link.getDestination().matches(EXTERNAL)) {
          checkAnchor(page, link.getDestination());
          nameByTitle(page, link);
        }
      }
    }
  }

  private void checkAnchor(MarkdownPage page, String link) throws BrokenLinkException {
    MarkdownPage linked = pages.get(findTarget(page, link));
    if (link.contains("#") && (linked == null || !linked.hasAnchor(anchorOf(link)))) {
      throw new BrokenLinkException(page.source(), link);
    }
  }

  // The site has no Markdown files, so a link with the name of one shows the page's title.
  private void nameByTitle(MarkdownPage page, Link link) {
    MarkdownPage linked = pages.get(findKnownTarget(page, link.getDestination()));
    if (linked != null
        && link.getFirstChild() instanceof Text text
        && linked.source().endsWith(text.getLiteral())) {
      text.setLiteral(linked.title());
    }
  }

  private static String anchorOf(String link) {
    return link.contains("#") ? link.substring(link.indexOf('#') + 1) : "";
  }

  // Returns the linked file; of a directory its README, as GitHub shows it.
  private Path findTarget(MarkdownPage page, String link) throws BrokenLinkException {
    String path = link.contains("#") ? link.substring(0, link.indexOf('#')) : link;
    Path target = path.isEmpty() ? page.source() : page.source().resolveSibling(path).normalize();
    Path file = Files.isDirectory(checkout.resolve(target)) ? target.resolve("README.md") : target;
    if (file.startsWith("..") || !Files.isRegularFile(checkout.resolve(file))) {
      throw new BrokenLinkException(page.source(), link);
    }
    return file;
  }

  private Path findKnownTarget(MarkdownPage page, String link) {
    try {
      return findTarget(page, link);
    } catch (BrokenLinkException e) {
      throw new IllegalStateException(e); // was found when the page was read
    }
  }

  // Browsers show a file without extension only with one.
  private static String addressOfFile(Path file) {
    String path = file.toString().replace('\\', '/');
    return file.getFileName().toString().contains(".") ? path : path + ".txt";
  }

  private String translate(MarkdownPage page, String link) {
    if (link.matches(EXTERNAL)) {
      return link;
    }
    Path target = findKnownTarget(page, link);
    MarkdownPage linked = pages.get(target);
    String anchor = link.contains("#") ? "#" + anchorOf(link) : "";
    return linked == page && !anchor.isEmpty()
        ? anchor
        : root(page) + (linked == null ? addressOfFile(target) : linked.address()) + anchor;
  }

  private static String root(MarkdownPage page) {
    return "../".repeat(page.source().getNameCount() - 1);
  }

  private String renderPage(MarkdownPage page) {
    PageFrame frame = new PageFrame(root(page), version);
    return frame.render(page, page.render(link -> translate(page, link)), groupPages());
  }

  // Groups the pages by the sections of the documentation's index; each page is listed once.
  private Map<String, List<MarkdownPage>> groupPages() {
    MarkdownPage index = pageAt("docs/README.md");
    Set<MarkdownPage> listed = new HashSet<>(List.of(pageAt("README.md"), index));
    Map<String, List<MarkdownPage>> groups = new LinkedHashMap<>();
    groups.put("", List.of(pageAt("README.md"), index));
    index
        .linksBySection()
        .forEach((heading, links) -> {
          List<MarkdownPage> group = new ArrayList<>();
          for (MarkdownPage page : linkedPages(index, links)) {
            if (!heading.equals(ROLES) && listed.add(page)) {
              group.add(page);
              if (page.source().endsWith("README.md")) { // an index
                List<String> otherPages = page.linksBySection().getOrDefault("", List.of());
                linkedPages(page, otherPages).stream().filter(listed::add).forEach(group::add);
              }
            }
          }
          if (!group.isEmpty()) {
            groups.put(heading, group);
          }
        });
    return groups;
  }

  private MarkdownPage pageAt(String path) {
    return Objects.requireNonNull(pages.get(Path.of(path)), path);
  }

  private List<MarkdownPage> linkedPages(MarkdownPage page, List<String> links) {
    return links.stream()
        .filter(link -> !link.matches(EXTERNAL))
        .map(link -> pages.get(findKnownTarget(page, link)))
        .filter(Objects::nonNull)
        .toList();
  }

  private String renderSearchIndex() {
    List<List<String>> entries = new ArrayList<>();
    for (MarkdownPage page : pages.values()) {
      for (MarkdownPage.Section section : page.sections()) {
        entries.add(
            List.of(
                page.address() + (section.level() <= 1 ? "" : "#" + section.anchor()),
                page.title(),
                section.level() <= 1 ? "" : section.heading(),
                section.text()));
      }
    }
    return "searchIndex(" + new Gson().toJson(entries) + ");\n";
  }
}
