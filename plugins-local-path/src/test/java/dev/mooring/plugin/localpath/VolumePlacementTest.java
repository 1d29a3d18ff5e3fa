package dev.mooring.plugin.localpath;

import static dev.mooring.plugin.localpath.LocalPathFixtures.node;
import static dev.mooring.plugin.localpath.LocalPathFixtures.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.Node;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumePlacementTest {
  private static final Node NODE =
      node("node-1", Map.of("kubernetes.io/hostname", "host-1", "example.com/id", "7"), true);

  private static NodePaths nodePaths() throws InvalidInputException {
    return ConfigReader.read(
            "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\"/opt/lp\", \"/data\"]}]}")
        .nodePaths("");
  }

  private static VolumePlacement placed(Request request) throws InvalidInputException {
    VolumePlacement.check(request, nodePaths(), SizeLimits.NONE);
    return VolumePlacement.of(request, nodePaths(), Optional.of(NODE)).getFirst();
  }

  @Test
  void of_noParameters_namesDirectoryAfterVolumeNamespaceAndClaim() throws InvalidInputException {
    VolumePlacement placement =
        placed(request("pvc-1", "c", Map.of("nodePath", "/opt/lp"), Map.of(), "node-1"));
    assertThat(placement.hasOwnDirectory()).isTrue();
    assertThat(placement.provisioned().source())
        .isEqualTo(
            new VolumeSource(
                "hostPath", Map.of("path", "/opt/lp/pvc-1_ns_c", "type", "DirectoryOrCreate")));
    assertThat(placement.provisioned().annotations())
        .isEqualTo(Map.of("local.path.provisioner/selected-node", "node-1"));
    assertThat(placement.provisioned().topology())
        .isEqualTo(List.of(Map.of("kubernetes.io/hostname", "host-1")));
  }

  @Test
  void of_volumeType_claimOverridesClass() throws InvalidInputException {
    Map<String, String> ofClass = Map.of("defaultVolumeType", "local");
    Map<String, String> none = Map.of();
    assertThat(
            placed(request("v", "c", none, none, "node-1", ofClass)).provisioned().source().type())
        .isEqualTo("local");
    assertThat(
            placed(request("v", "c", none, Map.of("volumeType", "HostPath"), "node-1", ofClass))
                .provisioned()
                .source()
                .type())
        .isEqualTo("hostPath");
    assertThatThrownBy(
            () -> placed(request("v", "c", none, Map.of("volumeType", "nfs"), "node-1", ofClass)))
        .hasMessageContaining("volumeType \"nfs\"");
  }

  @Test
  void of_affinityKeyParameter_selectsLabel() throws InvalidInputException {
    Request request =
        request("v", "c", Map.of("nodeAffinityKey", "example.com/id"), Map.of(), "node-1");
    assertThat(placed(request).provisioned().topology())
        .isEqualTo(List.of(Map.of("example.com/id", "7")));
    Request unknown =
        request("v", "c", Map.of("nodeAffinityKey", "example.com/no"), Map.of(), "node-1");
    assertThat(placed(unknown).provisioned().topology())
        .isEqualTo(List.of(Map.of("example.com/no", "node-1")));
  }

  @Test
  void of_sharedPath_hasNoNodeAffinity() throws InvalidInputException {
    NodePaths shared = new NodePaths.Shared(BasePath.of("/mnt/shared"));
    VolumePlacement placement =
        VolumePlacement.of(
                request("pvc-1", "c", Map.of(), Map.of(), null), shared, Optional.empty())
            .getFirst();
    assertThat(placement.directory().path()).isEqualTo("/mnt/shared/pvc-1_ns_c");
    assertThat(placement.provisioned().topology()).isEmpty();
    assertThat(placement.provisioned().annotations())
        .containsEntry(VolumePlacement.NODE_ANNOTATION, "");
  }

  @Test
  void check_noSelectedNode_namesTheClass() {
    assertThatThrownBy(() ->
            VolumePlacement.check(
                request("v", "c", Map.of(), Map.of(), null), nodePaths(), SizeLimits.NONE))
        .hasMessageContaining("WaitForFirstConsumer");
  }

  private static String path(String pattern, Map<String, String> annotations)
      throws InvalidInputException {
    Map<String, String> parameters = Map.of("pathPattern", pattern, "nodePath", "/data");
    return placed(request("pvc-1", "c", parameters, annotations, "node-1")).directory().path();
  }

  @ParameterizedTest
  @CsvSource({
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/,                              /data/ns/c",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }},                               /data/ns/c",
    "{{.PVC.Namespace}}/{{.PVC.Name}}/{{.PVName}},                       /data/ns/c/pvc-1",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Annotations.team }},   /data/ns/c/blue",
    "'{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ index .PVC.Annotations \"a.b/c\" }}', /data/ns/c/x",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Labels.app }}-{{ .PVC.UID }}, /data/ns/c/web-u",
  })
  void of_pathPattern_resolvesActions(String pattern, String path) throws InvalidInputException {
    assertThat(path(pattern, Map.of("team", "blue", "a.b/c", "x"))).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "{{ .PVC.Name }}/{{ .PVC.Namespace }},                             must begin with",
    "shared,                                                           must begin with",
    "{{ .PVC.Annotations.team }}/{{ .PVC.Namespace }}/{{ .PVC.Name }}, must begin with",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Annotations.none }}, does not have",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Spec }},             known placeholders: .PVName",
    "{{ .PVC.Namespace }}/{{ .PVC.Name | upper }},                     known placeholders: .PVName",
    "{{ .PVC.Namespace,                                                without its",
    "/{{ .PVC.Namespace }}/{{ .PVC.Name }},                            is absolute",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/../../other/c,               element",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Annotations.up }},   element",
    "{{ .PVC.Namespace }}/{{ .PVC.Name }}//x,                          empty element",
  })
  void of_pathPatternOutsideOwnPath_isRejected(String pattern, String expected) {
    assertThatThrownBy(() -> path(pattern, Map.of("team", "blue", "up", "../../other/c")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "nodePaths, /data, did you mean \"nodePath\"?",
    "zzz, 1, is unknown: there are",
    "allowUnsafePathPattern, true, the directory of another claim",
    "userPattern, 1000, is not supported",
    "permPattern, 0700, is not supported",
  })
  void check_unsupportedParameter_isRejected(String name, String value, String expected) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put(name, value);
    assertThatThrownBy(() ->
            VolumePlacement.check(
                request("v", "c", parameters, Map.of(), "node-1"), nodePaths(), SizeLimits.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(expected);
  }

  @Test
  void check_classAnnotations_countAsParameters() {
    assertThatThrownBy(() ->
            VolumePlacement.check(
                request(
                    "v",
                    "c",
                    Map.of(),
                    Map.of(),
                    "node-1",
                    Map.of("allowUnsafePathPattern", "true")),
                nodePaths(),
                SizeLimits.NONE))
        .hasMessageContaining("allowUnsafePathPattern");
  }

  @ParameterizedTest
  @CsvSource({
    "2Gi, '',  '',  '',   minSize is 2Gi: request more",
    "'',  1Mi, '',  '',   maxSize is 1Mi: request less",
    "2Gi, '',  1Mi, '',   ''",
    "'',  1Mi, '',  1Gi,  ''",
    "1Gi, 1Gi, '',  '',   ''",
    "'',  '',  2Gi, '',   minSize is 2Gi: request more",
    "'',  '',  '',  1023Mi, maxSize is 1023Mi: request less",
    "'',  '',  2Gi, 1Gi,  minSize \"2Gi\" is more than maxSize \"1Gi\"",
    "4Gi, '',  '',  2Gi,  minSize \"4Gi\" is more than maxSize \"2Gi\"",
    "'',  '',  x,   '',   minSize \"x\" is not a size",
    "'',  '',  '',  -1Gi, maxSize \"-1Gi\" is not a size",
  })
  void check_sizeOutsideLimits_isRejected(
      String minSize, String maxSize, String ofClassLeast, String ofClassMost, String expected)
      throws InvalidInputException {
    Map<String, String> parameters = Map.of("minSize", ofClassLeast, "maxSize", ofClassMost);
    Request request = request("v", "c", parameters, Map.of(), "node-1"); // requests 1Gi
    SizeLimits configured = SizeLimits.of(Map.of("minSize", minSize, "maxSize", maxSize));
    if (expected.isEmpty()) {
      VolumePlacement.check(request, nodePaths(), configured);
    } else {
      assertThatThrownBy(() -> VolumePlacement.check(request, nodePaths(), configured))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(expected);
    }
  }
}
