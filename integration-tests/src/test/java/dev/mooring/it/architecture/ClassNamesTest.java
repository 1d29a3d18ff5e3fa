package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * R12: one class name, one class. Whoever reads it, or looks for it, anywhere in the project knows
 * which one is meant. Read from the sources: no class path has those of all modules.
 */
class ClassNamesTest {
  private static final Path CHECKOUT = Path.of("..");
  private static final Path FIXTURES = Path.of("src", "test", "java", "bad");

  /** What belongs to a package or a module, and bears no name of its own. */
  private static final Set<String> NAMELESS = Set.of("package-info.java", "module-info.java");

  /** The format puts what is nested, and every comment's lines, further to the right. */
  private static final Pattern TOP_LEVEL =
      Pattern.compile(
          "^(?:[a-z-]+ +)*(?:class|interface|@interface|enum|record) +(\\w+)", Pattern.MULTILINE);

  private static List<Path> mainCode() throws IOException {
    try (Stream<Path> modules = Files.list(CHECKOUT)) {
      return modules
          .map(module -> module.resolve(Path.of("src", "main", "java")))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  /** The files of the top-level classes below those folders, by the classes' simple names. */
  private static SortedMap<String, List<Path>> classes(List<Path> folders) throws IOException {
    SortedMap<String, List<Path>> classes = new TreeMap<>();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(ClassNamesTest::isOfClasses).toList()) {
          Matcher declared = TOP_LEVEL.matcher(Files.readString(file));
          while (declared.find()) {
            classes.computeIfAbsent(declared.group(1), name -> new ArrayList<>()).add(file);
          }
        }
      }
    }
    return classes;
  }

  private static boolean isOfClasses(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !NAMELESS.contains(name);
  }

  /** The names that more than one class has. */
  private static SortedMap<String, List<Path>> shared(SortedMap<String, List<Path>> classes) {
    SortedMap<String, List<Path>> shared = new TreeMap<>(classes);
    shared.values().removeIf(files -> files.size() == 1);
    return shared;
  }

  @Test
  void noTwoClassesOfOursHaveOneName() throws IOException {
    SortedMap<String, List<Path>> ours = classes(mainCode());
    // the core, and modules that are on nobody's class path
    assertThat(ours).containsKeys("Volume", "ClusterBench", "Provenance");
    assertThat(shared(ours)).as("names to be told apart").isEmpty();
  }

  @Test
  void everyFileIsRead() throws IOException {
    Set<String> names = classes(mainCode()).keySet();
    for (Path folder : mainCode()) {
      try (Stream<Path> files = Files.walk(folder)) {
        assertThat(files.filter(ClassNamesTest::isOfClasses))
            .allSatisfy(file ->
                assertThat(names).contains(file.getFileName().toString().replace(".java", "")));
      }
    }
  }

  @Test
  void twoThatHaveOneNameAreSeen() throws IOException {
    assertThat(shared(classes(List.of(FIXTURES))))
        .hasEntrySatisfying(
            "BadTool",
            files ->
                assertThat(files)
                    .containsExactlyInAnyOrder(
                        FIXTURES.resolve(Path.of("mooring", "manager", "BadTool.java")),
                        FIXTURES.resolve(Path.of("mooring", "mcp", "BadTool.java"))));
  }
}
