package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeConnectionTest {
  private static final String SEPARATOR = File.pathSeparator;

  @ParameterizedTest
  @CsvSource({
    "'', false, '', home/.kube/config",
    "'', false, other, home/.kube/config",
    "'', true, '', ''",
    "'', true, other, home/.kube/config",
    "file, true, '', file",
    "file, true, other, file",
  })
  void findFiles_inPod_contextNeedsKubeconfig(
      String kubeconfig, boolean isInPod, String context, String expected) {
    Map<String, String> environment = new HashMap<>(Map.of("KUBECONFIG", kubeconfig));
    if (isInPod) {
      environment.put("KUBERNETES_SERVICE_HOST", "10.96.0.1");
    }
    assertThat(KubeConnection.findFiles(environment, context, Path.of("home")))
        .isEqualTo(expected.isEmpty() ? List.of() : List.of(Path.of(expected)));
  }

  @Test
  void parsePaths_emptyParts_areSkipped() {
    assertThat(KubeConnection.parsePaths(SEPARATOR + "a" + SEPARATOR + SEPARATOR + "b"))
        .containsExactly(Path.of("a"), Path.of("b"));
    assertThat(KubeConnection.parsePaths(SEPARATOR)).isEmpty();
    assertThat(KubeConnection.parsePaths("")).isEmpty();
  }
}
