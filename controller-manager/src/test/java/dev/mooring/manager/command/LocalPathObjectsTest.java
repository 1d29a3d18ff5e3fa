package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import dev.mooring.manager.command.LocalPathObjects.Migrated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** The objects of local-path-provisioner, and what becomes of them. */
class LocalPathObjectsTest {
  private static final String NODES =
      "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\"/opt/local-path-provisioner\"]}]}";

  /** As its own manifest, v0.0.30, has them. */
  private static final String MANIFEST =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: local-path-provisioner-service-account, namespace: local-path-storage}
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata:
        name: local-path
      provisioner: rancher.io/local-path
      volumeBindingMode: WaitForFirstConsumer
      reclaimPolicy: Delete
      ---
      kind: ConfigMap
      apiVersion: v1
      metadata:
        name: local-path-config
        namespace: local-path-storage
      data:
        config.json: |-
          {
            "nodePathMap":[
            {
              "node":"DEFAULT_PATH_FOR_NON_LISTED_NODES",
              "paths":["/opt/local-path-provisioner"]
            }
            ]
          }
        setup: |-
          #!/bin/sh
          set -eu
          mkdir -m 0777 -p "$VOL_DIR"
        teardown: |-
          #!/bin/sh
          set -eu
          rm -rf "$VOL_DIR"
        helperPod.yaml: |-
          apiVersion: v1
          kind: Pod
          metadata:
            name: helper-pod
          spec:
            priorityClassName: system-node-critical
            tolerations:
              - key: node.kubernetes.io/disk-pressure
                operator: Exists
                effect: NoSchedule
            containers:
            - name: helper-pod
              image: busybox
              imagePullPolicy: IfNotPresent
      """;

  private static Migrated of(String yaml) throws UsageException {
    return of(yaml, LocalPathObjects.USUAL_NAME);
  }

  private static Migrated of(String yaml, String provisioner) throws UsageException {
    List<Object> documents = new ArrayList<>();
    new Yaml().loadAll(yaml).forEach(documents::add);
    return LocalPathObjects.of(documents, provisioner);
  }

  private static String configMap(String config, String more) {
    return """
    kind: ConfigMap
    data:
      config.json: '%s'
    %s
    """
        .formatted(config, more.indent(2));
  }

  private static String storageClass(String parameters, String annotations) {
    return configMap(NODES, "")
        + """
        ---
        kind: StorageClass
        apiVersion: storage.k8s.io/v1
        metadata: {name: c, uid: u, resourceVersion: "1", annotations: %s}
        provisioner: rancher.io/local-path
        parameters: %s
        """
            .formatted(annotations, parameters);
  }

  private static String config(Migrated migrated) {
    return String.valueOf(((Map<?, ?>) migrated.configMap().get("data")).get("config.json"));
  }

  @Test
  void itsOwnManifestIsTakenWithoutAWord() throws Exception {
    Migrated migrated = of(MANIFEST);
    assertThat(migrated.notes()).isEmpty();
    assertThat(migrated.values())
        .isEqualTo(
            Map.of(
                "mode",
                "beside",
                "localPath",
                Map.of("configMap", "local-path-config", "podsNamespace", "mooring-local-path")));
    assertThat(JsonParser.parseString(config(migrated))).isEqualTo(JsonParser.parseString(NODES));
    assertThat(migrated.classes())
        .containsExactly(
            Map.of(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "StorageClass",
                "metadata",
                Map.of("name", "local-path"),
                "provisioner",
                "rancher.io/local-path",
                "volumeBindingMode",
                "WaitForFirstConsumer",
                "reclaimPolicy",
                "Delete"));
  }

  /** The scripts of v0.0.7 to v0.0.19, and those that k3s has. */
  @Test
  void scriptsThatDoTheSameAreNoDifference() throws Exception {
    String options =
        """
        while getopts "m:s:p:" opt
        do
            case $opt in
                p)
                absolutePath=$OPTARG
                ;;
            esac
        done

        """;
    for (String[] scripts :
        new String[][] {
          {options + "mkdir -m 0777 -p ${absolutePath}", options + "rm -rf ${absolutePath}"},
          {"set -eu\nmkdir -m 0777 -p \"${VOL_DIR}\"", "set -eu\nrm -rf \"${VOL_DIR}\""}
        }) {
      String yaml =
          "setup: |-\n"
              + ("#!/bin/sh\n" + scripts[0]).indent(2)
              + "teardown: |-\n"
              + ("#!/bin/sh\n" + scripts[1]).indent(2);
      assertThat(of(configMap(NODES, yaml)).notes())
          .hasSize(1)
          .first()
          .asString()
          .startsWith("there");
    }
    String k3s = "setup: |-\n  mkdir -m 0777 -p \"${VOL_DIR}\"\n  chmod 700 \"${VOL_DIR}/..\"\n";
    assertThat(of(configMap(NODES, k3s)).notes())
        .first()
        .asString()
        .startsWith("setup \"mkdir")
        .contains("chmod 700", "no script of others is run");
  }

  @Test
  void aLimitOfAPathIsKept() throws Exception {
    Migrated migrated =
        of(
            configMap(
                "{\"nodePathMap\": [{\"node\": \"n\", \"paths\": [\"/a\", {\"path\": \"/b\", \"maxCapacity\": \"1Gi\", \"typo\": 1}]}]}",
                ""));
    assertThat(JsonParser.parseString(config(migrated)))
        .isEqualTo(
            JsonParser.parseString(
                "{\"nodePathMap\": [{\"node\": \"n\", \"paths\": [\"/a\", {\"path\": \"/b\", \"maxCapacity\": \"1Gi\"}]}]}"));
    assertThat(migrated.notes())
        .hasSize(2)
        .anyMatch(note -> note.startsWith("config.json nodePathMap paths typo"));
  }

  @Test
  void whatIsSaidOfPlacesIsKept() throws Exception {
    String config =
        "{\"cmdTimeoutSeconds\": 30, \"storageClassConfigs\": {\"fast\": {\"nodePathMap\": [{\"node\": \"n\", \"paths\": [\"/a\", \"/b\"]}, {\"node\": \"none\", \"paths\": []}]}, \"shared\": {\"sharedFileSystemPath\": \"/mnt/s\"}}}";
    Migrated migrated = of(configMap(config, ""), "example.com/local");
    assertThat(JsonParser.parseString(config(migrated))).isEqualTo(JsonParser.parseString(config));
    assertThat(migrated.values().get("localPath").toString())
        .contains("provisionerName=example.com/local");
    assertThat(migrated.classes()).isEmpty();
    assertThat(migrated.notes())
        .containsExactly(
            "there is no StorageClass of example.com/local in the files: those of the cluster go on being served; say --provisioner if they call it otherwise");
  }

  @Test
  void listsOfObjectsAreReadAndWhatToolsHaveNotedIsLeft() throws Exception {
    Migrated migrated =
        of(
            """
            kind: List
            items:
            - {kind: ConfigMap, data: {config.json: '{"sharedFileSystemPath": "/mnt/s/"}'}}
            - {kind: ConfigMap, data: {other: x}}
            - {kind: StorageClass, provisioner: example.com/other, metadata: {name: o}}
            - kind: StorageClass
              provisioner: rancher.io/local-path
              metadata:
                name: c
                labels: {a: b}
                annotations: {storageclass.kubernetes.io/is-default-class: "true", meta.helm.sh/release-name: r, kubectl.kubernetes.io/last-applied-configuration: x, defaultVolumeType: local}
              parameters: {nodePath: /mnt/s, nodeAffinityKey: example.com/host, pathPattern: "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ index .PVC.Labels \\"a/b\\" }}", allowUnsafePathPattern: "false"}
            """);
    assertThat(migrated.notes()).isEmpty();
    assertThat(config(migrated)).contains("\"/mnt/s\"");
    assertThat(migrated.classes()).hasSize(1);
    assertThat(migrated.classes().getFirst().get("metadata"))
        .isEqualTo(
            Map.of(
                "name",
                "c",
                "labels",
                Map.of("a", "b"),
                "annotations",
                Map.of(
                    "storageclass.kubernetes.io/is-default-class",
                    "true",
                    "defaultVolumeType",
                    "local")));
    assertThat((Map<?, ?>) migrated.classes().getFirst().get("parameters")).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          userPattern: '1000'                          | parameter userPattern "1000" is not taken: directories are of mode 0777
          permPattern: '0700'                          | parameter permPattern "0700" is not taken: directories are of mode 0777
          allowUnsafePathPattern: 'true'               | parameter allowUnsafePathPattern "true" is not taken: a claim could get another one's directory
          pathPattern: '{{ .PVName }}'                 | parameter pathPattern "{{ .PVName }}" is not taken: a claim could get another one's directory
          pathPattern: '{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ printf "x" }}' | is not taken: of Go's templates fields, labels, annotations and index are understood
          maxSize: much                                | parameter maxSize "much" is not taken: name a size as 5Gi
          quotaEnforcement: xfs                        | parameter quotaEnforcement "xfs" is not taken: no quotas are set
          typo: x                                      | parameter typo "x" is not taken: Mooring does nothing of the kind
          """)
  void aParameterThatIsRefusedIsLeftOutAndTold(String parameter, String note) throws Exception {
    Migrated migrated = of(storageClass("{" + parameter + "}", "{}"));
    assertThat(migrated.notes()).hasSize(2);
    assertThat(migrated.notes().getFirst()).startsWith("class c ").contains(note);
    assertThat(migrated.notes().getLast()).contains("class c is other", "kubectl replace --force");
    assertThat(migrated.classes().getFirst()).doesNotContainKey("parameters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          allowUnsafePathPattern: 'true' | annotation allowUnsafePathPattern
          groupPattern: '5'              | annotation groupPattern
          defaultVolumeType: nfs         | name hostPath or local
          """)
  void anAnnotationThatIsRefusedIsLeftOutAndTold(String annotation, String note) throws Exception {
    Migrated migrated = of(storageClass("{}", "{" + annotation + "}"));
    assertThat(migrated.notes().getFirst()).contains(note);
    assertThat(migrated.classes().getFirst().get("metadata")).isEqualTo(Map.of("name", "c"));
  }

  @Test
  void whatScriptsAndPodsDoBesidesIsToldWithItsRemedy() throws Exception {
    Migrated migrated =
        of(
            configMap(
                "{\"sharedFileSystemPath\": \"/s\", \"setupCommand\": \"/manager\", \"teardownCommand\": \"\", \"typo\": 1}",
                """
                setup: |-
                  #!/bin/sh
                  set -eu
                  mkdir -m 0777 -p "$VOL_DIR"
                  chown 1000 "$VOL_DIR"
                teardown: "#!/bin/sh\\nset -eu\\nrm -rf \\"$VOL_DIR\\"\\n"
                extra: y
                helperPod.yaml: |-
                  metadata: {name: helper-pod, labels: {a: b}}
                  spec:
                    priorityClassName: high
                    imagePullSecrets: [{name: pull}]
                    nodeSelector: {a: b}
                    containers: [{name: helper-pod, image: busybox, resources: {limits: {cpu: 1}}}]
                """));
    assertThat(migrated.values())
        .containsEntry("image", Map.of("pullSecrets", List.of(Map.of("name", "pull"))));
    assertThat(config(migrated)).doesNotContain("Command", "typo");
    assertThat(migrated.notes())
        .satisfiesExactly(
            note ->
                assertThat(note)
                    .startsWith("config.json setupCommand \"/manager\" is not taken: no command"),
            note -> assertThat(note).startsWith("config.json typo 1 is not taken: "),
            note -> assertThat(note).startsWith("extra \"y\" is not taken: "),
            note ->
                assertThat(note).startsWith("helperPod.yaml metadata.labels {\"a\":\"b\"} is not"),
            note -> assertThat(note).startsWith("helperPod.yaml spec.containers resources {"),
            note -> assertThat(note).startsWith("helperPod.yaml spec.nodeSelector {"),
            note ->
                assertThat(note)
                    .startsWith("helperPod.yaml spec.priorityClassName \"high\" is not taken: say")
                    .contains("--plugin-setting=local-path-helper-priority-class=high"),
            note ->
                assertThat(note)
                    .startsWith("setup \"#!/bin/sh\\nset -eu")
                    .contains("chown 1000")
                    .contains("stay with local-path-provisioner"),
            note -> assertThat(note).startsWith("there is no StorageClass"));
    assertThat(migrated.notes()).allMatch(note -> note.lines().count() == 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {                                                            | config.json is not valid JSON
          []                                                           | config.json []: name an object
          {}                                                           | config.json has neither nodePathMap nor sharedFileSystemPath
          {"nodePathMap": [{"node": "n"}], "sharedFileSystemPath": "/s"} | config.json has both nodePathMap and sharedFileSystemPath
          {"sharedFileSystemPath": "/"}                                | config.json sharedFileSystemPath "/": name an absolute path below the root
          {"sharedFileSystemPath": "/a/../b"}                          | config.json sharedFileSystemPath "/a/../b": name an absolute path
          {"sharedFileSystemPath": 7}                                  | config.json sharedFileSystemPath 7: name a text
          {"nodePathMap": [{"paths": []}]}                             | an entry names no node
          {"nodePathMap": [{"node": "n"}, {"node": "n"}]}              | config.json nodePathMap "n": this node is there twice
          {"nodePathMap": [{"node": "n", "paths": ["/a", "/a/"]}]}     | config.json nodePathMap paths "/a": it is there twice
          {"storageClassConfigs": {"c": {}}}                           | storageClassConfigs c has neither
          {"cmdTimeoutSeconds": "x", "sharedFileSystemPath": "/s"}     | cmdTimeoutSeconds "x": name a number of seconds
          """)
  void whatIsNoConfigurationIsRefused(String config, String problem) {
    assertThatThrownBy(() -> of(configMap(config, "")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void oneConfigurationIsNeeded() {
    assertThatThrownBy(() -> of("kind: ConfigMap\ndata: {a: b}\n"))
        .hasMessageContaining("there is no ConfigMap with the key config.json");
    assertThatThrownBy(() -> of(MANIFEST + "\n---\n" + MANIFEST))
        .hasMessageContaining("there is more than one ConfigMap");
  }
}
