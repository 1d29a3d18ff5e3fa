package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the tests and classes named in the documents exist. */
class NamedTestsTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Pattern TEST_REFERENCE = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");

  private static final Pattern CLASS_REFERENCE = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");

  private static Map<String, String> readSources(String ending) throws IOException {
    Map<String, String> sourcesByTest = new HashMap<>();
    for (Path module : listFiles(CHECKOUT)) {
      if (Files.isDirectory(module.resolve("src"))) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
          for (Path file : files.filter(f -> f.toString().endsWith(ending)).toList()) {
            sourcesByTest.merge(
                file.getFileName().toString().replace(".java", ""),
                Files.readString(file),
                String::concat);
          }
        }
      }
    }
    return sourcesByTest;
  }

  private static List<Path> listFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static List<Path> listDocuments() throws IOException {
    try (Stream<Path> files = Files.walk(CHECKOUT.resolve("docs"))) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  private static void assertNamesExist(
      Pattern pattern, Map<String, String> sourcesByClass, Path document) throws IOException {
    Matcher reference = pattern.matcher(Files.readString(document));
    while (reference.find()) {
      assertThat(sourcesByClass)
          .as("%s names %s", document, reference.group())
          .containsKey(reference.group(1));
      if (reference.group(2) != null) {
        assertThat(sourcesByClass.get(reference.group(1)))
            .as("%s names %s", document, reference.group())
            .contains(" " + reference.group(2) + "(");
      }
    }
  }

  @Test
  void documents_namedTests_exist() throws IOException {
    Map<String, String> sourcesByTest = readSources("Test.java");
    for (Path document : listDocuments()) {
      assertNamesExist(TEST_REFERENCE, sourcesByTest, document);
    }
  }

  @Test
  void placesOfDecisions_namedClassesAndMethods_exist() throws IOException {
    assertNamesExist(
        CLASS_REFERENCE, readSources(".java"), CHECKOUT.resolve("docs").resolve("dev/README.md"));
  }
}
