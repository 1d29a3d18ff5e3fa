package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Checks deploy/krew/mooring.yaml against the rules of krew and the version of the build. */
class KrewManifestTest {
  private static final Path ROOT = Path.of("..");

  private static String version() throws Exception {
    Matcher version =
        Pattern.compile("(?m)^  <version>(.*?)(?:-SNAPSHOT)?</version>$")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  private static Map<?, ?> map(Object value) {
    return (Map<?, ?>) value;
  }

  @Test
  void manifest_ofBuild_hasShapeOfKrewAndVersion() throws Exception {
    Map<?, ?> manifest =
        new Yaml().load(Files.readString(ROOT.resolve(Path.of("deploy", "krew", "mooring.yaml"))));
    String version = version();
    assertThat(manifest.get("apiVersion"))
        .isEqualTo("krew.googlecontainertools.github.com/v1alpha2");
    assertThat(manifest.get("kind")).isEqualTo("Plugin");
    assertThat(map(manifest.get("metadata")).get("name")).isEqualTo("mooring");
    Map<?, ?> spec = map(manifest.get("spec"));
    assertThat(spec.get("version")).isEqualTo("v" + version);
    assertThat(spec.get("shortDescription").toString()).hasSizeLessThanOrEqualTo(50);
    List<?> platforms = (List<?>) spec.get("platforms");
    assertThat(platforms).hasSize(1);
    Map<?, ?> platform = map(platforms.getFirst());
    assertThat(platform.get("uri").toString()).endsWith("/mooring-" + version + ".tar.gz");
    assertThat(platform.get("sha256").toString()).matches("[0-9a-f]{64}");
    assertThat(platform.get("files"))
        .isEqualTo(List.of(Map.of("from", "mooring-" + version + "/*", "to", ".")));
    assertThat(platform.get("bin")).isEqualTo("mooring");
    assertThat(ROOT.resolve("mooring")).isExecutable();
  }
}
