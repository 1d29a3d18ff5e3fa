package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that relative links in Markdown pages lead to files and headings that exist. */
class DocumentLinksTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");
  private static final Pattern CODE = Pattern.compile("`[^`\\n]*`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern EXTERNAL = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern LINK_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

  @Test
  void pages_relativeLinks_leadToFilesAndHeadings() throws IOException {
    List<String> brokenLinks = new ArrayList<>();
    for (Path page : listPages()) {
      String prose = CODE.matcher(readProse(page)).replaceAll("");
      for (MatchResult link : LINK.matcher(prose).results().toList()) {
        if (!EXTERNAL.matcher(link.group(1)).matches() && !isResolvable(page, link.group(1))) {
          brokenLinks.add(CHECKOUT.relativize(page) + ": " + link.group(1));
        }
      }
    }

    assertThat(brokenLinks).isEmpty();
  }

  private static List<Path> listPages() throws IOException {
    try (Stream<Path> files = Files.walk(CHECKOUT)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.toString().contains("/target/"))
          .toList();
    }
  }

  private static boolean isResolvable(Path page, String link) throws IOException {
    String[] pathAndAnchor = link.split("#", 2);
    Path target =
        pathAndAnchor[0].isEmpty() ? page : page.resolveSibling(pathAndAnchor[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return pathAndAnchor.length == 1
        || !target.toString().endsWith(".md")
        || findAnchors(target).contains(pathAndAnchor[1]);
  }

  private static Set<String> findAnchors(Path page) throws IOException {
    return HEADING
        .matcher(readProse(page))
        .results()
        .map(heading -> LINK_TEXT.matcher(heading.group(1)).replaceAll("$1"))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replace(' ', '-'))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String readProse(Path page) throws IOException {
    return FENCE.matcher(Files.readString(page)).replaceAll("");
  }
}
