package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.spi.files.PathRejectedException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubdirSyntaxTest {
  private static final Map<String, String> ANNOTATIONS =
      Map.of(
          "nfs.io/storage-path", "some/where",
          "up", "../../etc",
          "dots", "..",
          "dot", ".",
          "absolute", "/abs",
          "double", "a//b",
          "token", "${.PVC.name}",
          "newline", "a\nb",
          "hidden", "a\u202eb",
          "own", ".mooring/volumes");

  private static String resolve(String pattern) throws PathRejectedException {
    return SubdirPattern.of(pattern)
        .resolve(StartedNfsPlugin.request("v", StartedNfsPlugin.claim("c", ANNOTATIONS), Map.of()))
        .path()
        .toString();
  }

  @ParameterizedTest
  @CsvSource({
    "${.PVC.namespace}/${.PVC.name},                             ns/c",
    "${.PVC.annotations.nfs.io/storage-path},                    some/where",
    "x-${.PVC.labels.app}-${.PVC.name}-y,                        x-web-c-y",
    "plain,                                                      plain",
    "/apps//${.PVC.annotations.absolute}/,                       apps/abs",
    "${.PVC.annotations.absolute},                               abs",
    "${.PVC.annotations.double},                                 a/b",
    "${.PVC.name}/,                                              c",
    "${.PVC.annotations.token},                                  ${.PVC.name}",
    "${.PVC.annotations.token}/${.PVC.name},                     ${.PVC.name}/c",
  })
  void resolve_pattern_givesPath(String pattern, String path) throws PathRejectedException {
    assertThat(resolve(pattern)).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "${.PVC.annotations.up},                                has the element \"..\"",
    "${.PVC.annotations.dots},                              has the element \"..\"",
    "x/${.PVC.annotations.dots}/y,                          has the element \"..\"",
    "${.PVC.annotations.dot},                               has the element \".\"",
    "/,                                                     names no directory",
    "a/../${.PVC.name},                                     has the element \"..\"",
    "${.PVC.annotations.newline},                           non-printable",
    "${.PVC.annotations.hidden},                            non-printable",
    "${.PVC.annotations.own},                               reserved",
    "archived-${.PVC.name},                                 reserved for the plugin",
    "${.PVC.annotations.missing},                           add it to the claim",
    "${.PVC.annotations.missing}/${.PVC.labels.missing},    add it to the claim",
    "${.PVC.uid},                                           known placeholders: ${.PVC.namespace}",
    "${.PVC.labels.},                                       known placeholders: ${.PVC.namespace}",
    "${.PVC.name,                                           without its }",
  })
  void resolve_invalidPatternOrValue_isRejected(String pattern, String message) {
    assertThatThrownBy(() -> resolve(pattern))
        .isInstanceOf(PathRejectedException.class)
        .hasMessageContaining(message);
  }

  @Test
  void resolve_annotationOfSlashesOnly_countsAsMissing() {
    assertThatThrownBy(() ->
            SubdirPattern.of("ns/${.PVC.annotations.a}")
                .resolve(
                    StartedNfsPlugin.request(
                        "v", StartedNfsPlugin.claim("c", Map.of("a", "//")), Map.of())))
        .isInstanceOf(PathRejectedException.class)
        .hasMessageContaining("add it to the claim");
  }

  @Test
  void of_invalidPattern_isRejectedWithoutClaim() {
    assertThatThrownBy(() -> NfsParameters.of(Map.of("pathPattern", "${.PVC.uid}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pathPattern \"${.PVC.uid}\" has the unknown placeholder ${.PVC.uid}; known placeholders: ${.PVC.namespace}, ${.PVC.name}, ${.PVC.labels.KEY} and ${.PVC.annotations.KEY}");
    String known = "${.PVC.annotations.a}";
    assertThat(NfsParameters.of(Map.of("pathPattern", known)).pattern()).isPresent();
  }
}
