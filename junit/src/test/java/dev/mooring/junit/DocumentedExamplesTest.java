package dev.mooring.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the page for users with the tests of this module and with its POM. */
class DocumentedExamplesTest {
  private static final Path ROOT = Path.of(System.getProperty("mooring.root", ".."));
  private static final Pattern JAVA = Pattern.compile("(?m)^```java\\n(.*?)^```$", Pattern.DOTALL);
  private static final Pattern ERROR = Pattern.compile("`(bad/[^`\\s]+ [^`]*)`");

  private static String readPage() throws IOException {
    return Files.readString(ROOT.resolve("docs/testing-controllers.md"));
  }

  private static String readSources() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.list(Path.of("src/test/java/dev/mooring/junit"))) {
      for (Path file : files.sorted().toList()) {
        sources.append(Files.readString(file));
      }
    }
    return sources.toString();
  }

  @Test
  void javaBlocks_ofPage_arePartsOfTests() throws IOException {
    String sources = readSources();
    List<String> blocks =
        JAVA.matcher(readPage()).results().map(result -> result.group(1)).toList();
    assertThat(blocks).hasSize(6).allMatch(sources::contains);
  }

  @Test
  void errorLines_ofPage_areTested() throws IOException {
    String sources = readSources().replaceAll("(\\w[\\w-]*) *\\| (\\d+:)", "bad/$1.yaml:$2");
    List<String> lines =
        ERROR.matcher(readPage()).results().map((MatchResult line) -> line.group(1)).toList();
    assertThat(lines).hasSize(4).allMatch(sources::contains);
  }

  @Test
  void bom_version_isThatOfModules() throws IOException {
    assertThat(readVersion(ROOT.resolve("bom/pom.xml"))).isEqualTo(readVersion(Path.of("pom.xml")));
  }

  private static String readVersion(Path pom) throws IOException {
    return Files.readString(pom).replaceFirst("(?s).*?<version>([^<]*)<.*", "$1");
  }

  @Test
  void mavenSnippet_ofPage_namesThisModule() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(readPage()).contains("<artifactId>mooring-junit</artifactId>");
    assertThat(pom).contains("<artifactId>mooring-junit</artifactId>");
    assertThat(readPage()).contains("<version>" + readVersion(Path.of("pom.xml")) + "</version>");
  }
}
