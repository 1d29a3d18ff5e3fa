package dev.mooring.dist.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

final class MarkdownPage {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  // Heading and the text below it; the text before the first subheading belongs to the title.
  record Section(int level, String anchor, String heading, String text) {}

  private final Path source;
  private final Node document;
  private final Map<Node, String> anchors = new LinkedHashMap<>();
  private final List<Section> sections = new ArrayList<>();

  private MarkdownPage(Path source, Node document) {
    this.source = source;
    this.document = document;
    readSections();
  }

  static MarkdownPage read(Path checkout, Path source) throws IOException {
    return new MarkdownPage(source, PARSER.parse(Files.readString(checkout.resolve(source))));
  }

  private void readSections() {
    Set<String> used = new HashSet<>();
    for (Node block = document.getFirstChild(); block != null; ) {
      Node next = block.getNext();
      int level = 0;
      String heading = "";
      String anchor = "";
      if (block instanceof Heading head) {
        level = head.getLevel();
        heading = PlainText.of(head);
        anchor = createAnchor(heading, used);
        anchors.put(head, anchor);
      }
      StringBuilder text = new StringBuilder();
      if (!(block instanceof Heading)) {
        text.append(PlainText.of(block)).append(' ');
      }
      for (; next != null && !(next instanceof Heading); next = next.getNext()) {
        text.append(PlainText.of(next)).append(' ');
      }
      sections.add(
          new Section(level, anchor, heading, text.toString().replaceAll("\\s+", " ").strip()));
      block = next;
    }
  }

  // The anchors are those of GitHub, so that a link works in both places.
  private static String createAnchor(String heading, Set<String> used) {
    String base =
        heading
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]", "")
            .replace(' ', '-');
    String anchor = base;
    for (int i = 1; !used.add(anchor); i++) {
      anchor = base + "-" + i;
    }
    return anchor;
  }

  Path source() {
    return source;
  }

  // Returns the path in the site. A README is the index of its directory.
  String address() {
    String path = source.toString().replace('\\', '/');
    return path.replaceFirst("README\\.md$", "index.md").replaceFirst("\\.md$", ".html");
  }

  String title() {
    return sections.isEmpty() ? "" : sections.getFirst().heading();
  }

  List<Section> sections() {
    return sections;
  }

  boolean hasAnchor(String anchor) {
    return anchors.containsValue(anchor);
  }

  List<Link> links() {
    List<Link> links = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            links.add(link);
            visitChildren(link);
          }
        });
    return links;
  }

  // Returns the destinations of links by the heading of level 2 that they are below.
  Map<String, List<String>> linksBySection() {
    Map<String, List<String>> links = new LinkedHashMap<>();
    document.accept(
        new AbstractVisitor() {
          private String section = "";

          @Override
          public void visit(Heading heading) {
            if (heading.getLevel() <= 2) {
              section = heading.getLevel() == 2 ? PlainText.of(heading) : "";
            }
            visitChildren(heading);
          }

          @Override
          public void visit(Link link) {
            links.computeIfAbsent(section, name -> new ArrayList<>()).add(link.getDestination());
          }
        });
    return links;
  }

  List<Image> images() {
    List<Image> images = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Image image) {
            images.add(image);
          }
        });
    return images;
  }

  // Renders the content with each link translated.
  String render(UnaryOperator<String> target) {
    HtmlRenderer renderer =
        HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .escapeHtml(true)
            .attributeProviderFactory(context ->
                (node, tag, attributes) -> {
                  if (anchors.containsKey(node)) {
                    attributes.put("id", anchors.get(node));
                  }
                  attributes.computeIfPresent("href", (name, link) -> target.apply(link));
                  attributes.computeIfPresent("src", (name, link) -> target.apply(link));
                  if (tag.equals("pre")) {
                    attributes.put("tabindex", "0"); // scrolls with the keyboard
                  }
                })
            .build();
    return renderer
        .render(document)
        .replace("<table>", "<div class=\"table\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>");
  }

  private static final class PlainText extends AbstractVisitor {
    private final StringBuilder text = new StringBuilder();

    static String of(Node node) {
      PlainText reader = new PlainText();
      node.accept(reader);
      return reader.text.toString().strip();
    }

    @Override
    public void visit(Text node) {
      text.append(node.getLiteral());
    }

    @Override
    public void visit(Code node) {
      text.append(node.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock node) {
      text.append(node.getLiteral()).append(' ');
    }

    @Override
    public void visit(IndentedCodeBlock node) {
      text.append(node.getLiteral()).append(' ');
    }

    @Override
    public void visit(SoftLineBreak node) {
      text.append(' ');
    }

    @Override
    public void visit(HardLineBreak node) {
      text.append(' ');
    }

    @Override
    public void visit(Paragraph node) {
      visitChildren(node);
      text.append(' ');
    }

    @Override
    public void visit(ListItem node) {
      visitChildren(node);
      text.append(' ');
    }

    @Override
    public void visit(CustomNode node) {
      visitChildren(node);
      if (node instanceof TableCell) {
        text.append(' ');
      }
    }
  }
}
