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

class LocalPathObjectsTest {
  private static final String NODES =
      "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [\"/opt/local-path-provisioner\"]}]}";

  /** Manifest of v0.0.30. */
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
  void manifest_ofTheProject_hasNoNotes() throws Exception {
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

  /** Stock scripts of v0.0.7 to v0.0.19, and of k3s. */
  @Test
  void scripts_equivalentToTheDefaults_haveNoNotes() throws Exception {
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
          .startsWith("the files contain no StorageClass");
    }
    String k3s = "setup: |-\n  mkdir -m 0777 -p \"${VOL_DIR}\"\n  chmod 700 \"${VOL_DIR}/..\"\n";
    assertThat(of(configMap(NODES, k3s)).notes())
        .first()
        .asString()
        .startsWith("setup \"mkdir")
        .contains("chmod 700", "runs no external scripts");
  }

  @Test
  void nodePath_withLimit_isTranslated() throws Exception {
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
  void nodePaths_ofClass_areTranslated() throws Exception {
    String config =
        "{\"cmdTimeoutSeconds\": 30, \"storageClassConfigs\": {\"fast\": {\"nodePathMap\": [{\"node\": \"n\", \"paths\": [\"/a\", \"/b\"]}, {\"node\": \"none\", \"paths\": []}]}, \"shared\": {\"sharedFileSystemPath\": \"/mnt/s\"}}}";
    Migrated migrated = of(configMap(config, ""), "example.com/local");
    assertThat(JsonParser.parseString(config(migrated))).isEqualTo(JsonParser.parseString(config));
    assertThat(migrated.values().get("localPath").toString())
        .contains("provisionerName=example.com/local");
    assertThat(migrated.classes()).isEmpty();
    assertThat(migrated.notes())
        .containsExactly(
            "the files contain no StorageClass of example.com/local; existing classes remain usable. Specify --provisioner if they have another name");
  }

  @Test
  void list_withToolAnnotations_isReadWithoutThem() throws Exception {
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
          userPattern: '1000'                          | parameter userPattern "1000" is not supported: directories have mode 0777
          permPattern: '0700'                          | parameter permPattern "0700" is not supported: directories have mode 0777
          allowUnsafePathPattern: 'true'               | parameter allowUnsafePathPattern "true" is not supported: one claim could get the directory of another
          pathPattern: '{{ .PVName }}'                 | parameter pathPattern "{{ .PVName }}" is not supported: one claim could get the directory of another
          pathPattern: '{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ printf "x" }}' | is not supported: of Go templates only fields, labels, annotations and index are supported
          maxSize: much                                | parameter maxSize "much" is not supported: specify a size such as 5Gi
          quotaEnforcement: xfs                        | parameter quotaEnforcement "xfs" is not supported: Mooring sets no quotas
          typo: x                                      | parameter typo "x" is not supported: Mooring has no such setting
          """)
  void unsupportedParameter_isDroppedWithNote(String parameter, String note) throws Exception {
    Migrated migrated = of(storageClass("{" + parameter + "}", "{}"));
    assertThat(migrated.notes()).hasSize(2);
    assertThat(migrated.notes().getFirst()).startsWith("class c ").contains(note);
    assertThat(migrated.notes().getLast()).contains("class c differs", "kubectl replace --force");
    assertThat(migrated.classes().getFirst()).doesNotContainKey("parameters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          allowUnsafePathPattern: 'true' | annotation allowUnsafePathPattern
          groupPattern: '5'              | annotation groupPattern
          defaultVolumeType: nfs         | specify hostPath or local
          """)
  void annotation_unsupported_isDroppedWithNote(String annotation, String note) throws Exception {
    Migrated migrated = of(storageClass("{}", "{" + annotation + "}"));
    assertThat(migrated.notes().getFirst()).contains(note);
    assertThat(migrated.classes().getFirst().get("metadata")).isEqualTo(Map.of("name", "c"));
  }

  @Test
  void scriptsAndPods_changedByUser_haveNotesWithRemedy() throws Exception {
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
        .containsEntry("imagePullSecrets", List.of(Map.of("name", "pull")));
    assertThat(config(migrated)).doesNotContain("Command", "typo");
    assertThat(migrated.notes())
        .satisfiesExactly(
            note ->
                assertThat(note)
                    .startsWith(
                        "config.json setupCommand \"/manager\" is not supported: Mooring runs no external commands"),
            note -> assertThat(note).startsWith("config.json typo 1 is not supported: "),
            note -> assertThat(note).startsWith("extra \"y\" is not supported: "),
            note ->
                assertThat(note).startsWith("helperPod.yaml metadata.labels {\"a\":\"b\"} is not"),
            note -> assertThat(note).startsWith("helperPod.yaml spec.containers resources {"),
            note -> assertThat(note).startsWith("helperPod.yaml spec.nodeSelector {"),
            note ->
                assertThat(note)
                    .startsWith(
                        "helperPod.yaml spec.priorityClassName \"high\" is not supported: pass it")
                    .contains("--plugin-setting=local-path-helper-priority-class=high"),
            note ->
                assertThat(note)
                    .startsWith("setup \"#!/bin/sh\\nset -eu")
                    .contains("chown 1000")
                    .contains("keep local-path-provisioner"),
            note -> assertThat(note).startsWith("the files contain no StorageClass"));
    assertThat(migrated.notes()).allMatch(note -> note.lines().count() == 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {                                                            | config.json is not valid JSON (line 1 column 2): correct it in the ConfigMap
          {nodePathMap: []}                                            | config.json is not valid JSON (line 1 column 3): correct it in the ConfigMap
          []                                                           | config.json []: specify an object
          {}                                                           | config.json has neither nodePathMap nor sharedFileSystemPath
          {"nodePathMap": [{"node": "n"}], "sharedFileSystemPath": "/s"} | config.json has both nodePathMap and sharedFileSystemPath
          {"sharedFileSystemPath": "/"}                                | config.json sharedFileSystemPath "/": specify an absolute path below the root
          {"sharedFileSystemPath": "/a/../b"}                          | config.json sharedFileSystemPath "/a/../b": specify an absolute path
          {"sharedFileSystemPath": 7}                                  | config.json sharedFileSystemPath 7: specify a string
          {"nodePathMap": [{"paths": []}]}                             | an entry has no node
          {"nodePathMap": [{"node": "n"}, {"node": "n"}]}              | config.json nodePathMap "n": duplicate node
          {"nodePathMap": [{"node": "n", "paths": ["/a", "/a/"]}]}     | config.json nodePathMap paths "/a": duplicate path
          {"storageClassConfigs": {"c": {}}}                           | storageClassConfigs c has neither
          {"cmdTimeoutSeconds": "x", "sharedFileSystemPath": "/s"}     | cmdTimeoutSeconds "x": specify a number of seconds
          """)
  void invalidConfiguration_throws(String config, String problem) {
    assertThatThrownBy(() -> of(configMap(config, "")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void configMap_missingOrDuplicate_throws() {
    assertThatThrownBy(() -> of("kind: ConfigMap\ndata: {a: b}\n"))
        .hasMessageContaining("the files contain no ConfigMap with the key config.json");
    assertThatThrownBy(() -> of(MANIFEST + "\n---\n" + MANIFEST))
        .hasMessageContaining("the files contain more than one ConfigMap");
  }
}
