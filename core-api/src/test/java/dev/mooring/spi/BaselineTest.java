package dev.mooring.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The compatibility check ignores types that the baseline lacks (docs/dev/adr/0009). */
class BaselineTest {
  private static final List<String> COMPARED = List.of("dev/mooring/model", "dev/mooring/spi");

  @Test
  void baseline_publicTypes_areComplete() throws Exception {
    Set<String> baseline;
    try (JarFile jar = new JarFile("src/baseline/plugin-interface.jar")) {
      baseline = jar.stream().map(JarEntry::getName).collect(Collectors.toSet());
    }
    assertThat(publicTypes())
        .contains("dev/mooring/spi/files/DirectoryTree.class")
        .as("types of the baseline; build-config/new-baseline recreates it")
        .isSubsetOf(baseline);
  }

  private static List<String> publicTypes() throws IOException, URISyntaxException {
    Path classes =
        Path.of(VolumePlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files =
        COMPARED.stream().map(classes::resolve).flatMap(BaselineTest::filesBelow)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && isPublic(name))
          .toList();
    }
  }

  private static Stream<Path> filesBelow(Path folder) {
    try {
      return Files.walk(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPublic(String file) {
    try {
      String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
      return Modifier.isPublic(
          Class.forName(name, false, BaselineTest.class.getClassLoader()).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
