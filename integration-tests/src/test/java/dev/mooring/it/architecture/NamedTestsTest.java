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
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");

  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new HashMap<>();
    for (Path module : list(CHECKOUT)) {
      if (Files.isDirectory(module.resolve("src"))) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
          for (Path file : files.filter(f -> f.toString().endsWith("Test.java")).toList()) {
            tests.merge(
                file.getFileName().toString().replace(".java", ""),
                Files.readString(file),
                String::concat);
          }
        }
      }
    }
    return tests;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(CHECKOUT.resolve("docs"))) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  @Test
  void documents_namedTests_exist() throws IOException {
    Map<String, String> tests = tests();
    for (Path document : documents()) {
      Matcher named = NAMED.matcher(Files.readString(document));
      while (named.find()) {
        assertThat(tests).as("%s names %s", document, named.group()).containsKey(named.group(1));
        if (named.group(2) != null) {
          assertThat(tests.get(named.group(1)))
              .as("%s names %s", document, named.group())
              .contains(" " + named.group(2) + "(");
        }
      }
    }
  }
}
