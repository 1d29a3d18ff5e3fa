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

/** Checks that every test named in the documents exists. */
class NamedTestsTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Pattern TEST_REFERENCE = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");

  private static Map<String, String> readTestSources() throws IOException {
    Map<String, String> sourcesByTest = new HashMap<>();
    for (Path module : listFiles(CHECKOUT)) {
      if (Files.isDirectory(module.resolve("src"))) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
          for (Path file : files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
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

  @Test
  void documents_namedTests_exist() throws IOException {
    Map<String, String> sourcesByTest = readTestSources();
    for (Path document : listDocuments()) {
      Matcher reference = TEST_REFERENCE.matcher(Files.readString(document));
      while (reference.find()) {
        assertThat(sourcesByTest)
            .as("%s names %s", document, reference.group())
            .containsKey(reference.group(1));
        if (reference.group(2) != null) {
          assertThat(sourcesByTest.get(reference.group(1)))
              .as("%s names %s", document, reference.group())
              .contains(" " + reference.group(2) + "(");
        }
      }
    }
  }
}
