package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.Quantity;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {
  private static final String USUAL =
      """
      {
        "nodePathMap":[
          {"node":"DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths":["/opt/local-path-provisioner"]},
          {"node":"big", "paths":["/opt/local-path-provisioner/", "/data1"]},
          {"node":"none", "paths":[]}
        ],
        "cmdTimeoutSeconds": 30
      }
      """;

  private static BasePath base(String path) throws InvalidInputException {
    return BasePath.of(path);
  }

  @Test
  void read_commonConfig_isAccepted() throws InvalidInputException {
    LocalPathConfig config = ConfigReader.read(USUAL);
    NodePaths nodePaths = config.nodePaths("any");
    assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(nodePaths.pathsOf("small")).containsExactly(base("/opt/local-path-provisioner"));
    assertThat(nodePaths.pathsOf("big"))
        .containsExactly(base("/opt/local-path-provisioner"), base("/data1"));
    assertThat(nodePaths.pathsOf("none")).isEmpty();
    assertThat(nodePaths.choose("big", "/data1", "v")).containsExactly(base("/data1"));
    assertThat(nodePaths.choose("big", "", "v")).isEqualTo(nodePaths.choose("big", "", "v"));
    assertThat(nodePaths.choose("big", "", "v"))
        .containsExactlyInAnyOrder(base("/opt/local-path-provisioner"), base("/data1"));
    assertThatThrownBy(() -> nodePaths.choose("none", "", "v")).hasMessageContaining("no paths");
    assertThatThrownBy(() -> nodePaths.choose("big", "/data2", "v"))
        .hasMessageContaining("/data2")
        .hasMessageContaining("/data1");
  }

  @Test
  void read_sharedFileSystemPath_isAccepted() throws InvalidInputException {
    LocalPathConfig config =
        ConfigReader.read("{\"nodePathMap\": [], \"sharedFileSystemPath\": \"/mnt/shared\"}");
    assertThat(config.nodePaths("any")).isEqualTo(new NodePaths.Shared(base("/mnt/shared")));
    assertThat(config.timeout()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void read_limits_areAccepted() throws InvalidInputException {
    LocalPathConfig config =
        ConfigReader.read(
            """
            {"nodePathMap": [
               {"node": "DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths": ["/a", {"path": "/b/", "maxCapacity": "10Gi"}, {"path": "/c"}]},
               {"node": "other", "paths": ["/b"]}],
             "minSize": "1Mi", "maxSize": "5Gi"}
            """);
    NodePaths nodePaths = config.nodePaths("any");
    assertThat(nodePaths.pathsOf("n")).containsExactly(base("/a"), base("/b"), base("/c"));
    assertThat(nodePaths.maxCapacity("n", base("/b"))).contains(Quantity.of("10Gi"));
    assertThat(nodePaths.maxCapacity("n", base("/a"))).isEmpty();
    assertThat(nodePaths.maxCapacity("other", base("/b"))).isEmpty();
    assertThat(config.hasMaxCapacity()).isTrue();
    assertThat(config.limits("any").min()).contains(Quantity.of("1Mi"));
    assertThat(config.limits("any").max()).contains(Quantity.of("5Gi"));
    LocalPathConfig ofClass =
        ConfigReader.read(
            "{\"maxSize\": \"1Gi\", \"storageClassConfigs\": {\"c\": {\"sharedFileSystemPath\": \"/a\", \"maxSize\": \"2Gi\"}}}");
    assertThat(ofClass.limits("c").max()).contains(Quantity.of("2Gi"));
    assertThat(ofClass.limits("d")).isEqualTo(SizeLimits.NONE);
    assertThat(ofClass.hasMaxCapacity()).isFalse();
  }

  /** local-path-provisioner's chart always writes nodePathMap as well, which is ignored then */
  @Test
  void read_storageClassConfigs_overrideCommonPaths() throws InvalidInputException {
    LocalPathConfig config =
        ConfigReader.read(
            """
            {"nodePathMap": [{"node": "DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths": ["/opt"]}],
             "storageClassConfigs": {"fast": {"nodePathMap": [{"node": "a", "paths": ["/ssd"]}]},
              "shared": {"sharedFileSystemPath": "/mnt"}}}
            """);
    assertThat(config.nodePaths("fast").pathsOf("a")).containsExactly(base("/ssd"));
    assertThat(config.nodePaths("fast").pathsOf("b")).isEmpty();
    assertThat(config.nodePaths("shared")).isEqualTo(new NodePaths.Shared(base("/mnt")));
    assertThat(config.basePaths()).containsExactlyInAnyOrder(base("/ssd"), base("/mnt"));
    assertThatThrownBy(() -> config.nodePaths("other"))
        .hasMessageContaining("\"other\"")
        .hasMessageContaining("[fast, shared]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"nodePathMaps": []}                                         | did you mean "nodePathMap"?
          {"sharedFilesystemPath": "/a"}                               | did you mean "sharedFileSystemPath"?
          {"zzz": 1}                                                   | "zzz" is unknown: there are
          {"nodePathMap": [{"node": "a", "path": ["/a"]}]}             | did you mean "paths"?
          {"storageClassConfigs": {"c": {"nodePathMapp": []}}}         | did you mean "nodePathMap"?
          {"storageClassConfigs": {"c": {}}}                           | class "c" has neither
          {"nodePathMap": [{"node": "a", "paths": ["a"]}]}             | must start with /
          {"nodePathMap": [{"node": "a", "paths": ["/"]}]}             | root directory
          {"nodePathMap": [{"node": "a", "paths": ["//"]}]}            | root directory
          {"nodePathMap": [{"node": "a", "paths": ["/a/../../etc"]}]}  | element ".."
          {"nodePathMap": [{"node": "a", "paths": ["/a", "/a/"]}]}     | appears twice
          {"nodePathMap": [{"node": "a", "paths": []}, {"node": "a", "paths": []}]} | node a appears twice
          {"nodePathMap": [{"paths": ["/a"]}]}                         | names no node
          {"nodePathMap": [{"node": "a", "paths": ["/a"]}], "sharedFileSystemPath": "/b"} | both nodePathMap and
          {"nodePathMap": [], "nodePathMap": []}                       | appears twice
          {}                                                           | neither nodePathMap nor
          {"sharedFileSystemPath": "/a", "setupCommand": "/bin/x"}     | runs no custom commands
          {"sharedFileSystemPath": "/a", "cmdTimeoutSeconds": "soon"}  | cmdTimeoutSeconds
          {"sharedFileSystemPath": ["/a"]}                             | sharedFileSystemPath
          {"sharedFileSystemPath": "/a", "maxSize": "much"}            | maxSize "much" is not a size
          {"sharedFileSystemPath": "/a", "minSize": "2Gi", "maxSize": "1Gi"} | minSize "2Gi" is more than maxSize "1Gi"
          {"nodePathMap": [{"node": "a", "paths": [{"path": "/a", "maxCapacity": "x"}]}]} | path /a: maxCapacity "x" is not a size
          {"nodePathMap": [{"node": "a", "paths": [{"path": "/a", "maxCapacitys": "1"}]}]} | did you mean "maxCapacity"?
          {"nodePathMap": [{"node": "a", "paths": [{"maxCapacity": "1"}]}]} | names no path
          {"sharedFileSystemPath": "/a"} x                             | invalid JSON
          {'sharedFileSystemPath': "/a"}                               | invalid JSON: line 1 column 3
          {"sharedFileSystemPath": "/a"                                | invalid JSON
          []                                                           | invalid JSON
          """)
  void read_invalidConfig_namesTheProblem(String json, String expected) {
    assertThatThrownBy(() -> ConfigReader.read(json))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(expected)
        .hasMessageNotContaining("Exception");
  }
}
