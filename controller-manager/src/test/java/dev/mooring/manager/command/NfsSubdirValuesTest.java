package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.manager.command.NfsSubdirValues.Migrated;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class NfsSubdirValuesTest {
  private static Migrated of(String yaml) throws UsageException {
    return NfsSubdirValues.of(new Yaml().<Map<?, ?>>load(yaml), Optional.of("nfs"));
  }

  @Test
  void of_defaults_equalsChart() throws Exception {
    Migrated migrated = of("nfs: {server: 10.0.0.1}");
    assertThat(migrated.values())
        .isEqualTo(
            Map.of(
                "mode",
                "beside",
                "nfs",
                Map.of(
                    "server",
                    "10.0.0.1",
                    "path",
                    "/nfs-storage",
                    "provisionerName",
                    "cluster.local/nfs-nfs-subdir-external-provisioner",
                    "runAsUser",
                    0)));
    assertThat(migrated.storageClass())
        .contains(
            Map.of(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "StorageClass",
                "metadata",
                Map.of("name", "nfs-client"),
                "provisioner",
                "cluster.local/nfs-nfs-subdir-external-provisioner",
                "reclaimPolicy",
                "Delete",
                "allowVolumeExpansion",
                true,
                "volumeBindingMode",
                "Immediate",
                "parameters",
                Map.of("archiveOnDelete", "true")));
    assertThat(migrated.notes()).isEmpty();
  }

  @Test
  void of_classValues_areTranslated() throws Exception {
    Migrated migrated =
        of(
            "nfs: {server: s, path: /p, mountOptions: [nfsvers=4.1]}\n"
                + "storageClass: {provisionerName: example.com/nfs, name: fast, defaultClass: true, allowVolumeExpansion: false, reclaimPolicy: Retain, archiveOnDelete: false, onDelete: retain,"
                + " pathPattern: '${.PVC.namespace}/${.PVC.name}', volumeBindingMode: WaitForFirstConsumer, annotations: {a: b}, accessModes: ReadWriteMany}");
    Map<String, Object> storageClass = migrated.storageClass().orElseThrow();
    assertThat(storageClass)
        .containsEntry("provisioner", "example.com/nfs")
        .containsEntry("reclaimPolicy", "Retain")
        .containsEntry("allowVolumeExpansion", false)
        .containsEntry("volumeBindingMode", "WaitForFirstConsumer")
        .containsEntry("mountOptions", List.of("nfsvers=4.1"))
        .containsEntry(
            "metadata",
            Map.of(
                "name",
                "fast",
                "annotations",
                Map.of("a", "b", "storageclass.kubernetes.io/is-default-class", "true")))
        .containsEntry(
            "parameters",
            Map.of(
                "archiveOnDelete",
                "false",
                "onDelete",
                "retain",
                "pathPattern",
                "${.PVC.namespace}/${.PVC.name}"));
    assertThat(migrated.notes())
        .anyMatch(note -> note.contains("nfs.claim"))
        .anyMatch(note -> note.startsWith("storageClass.accessModes is not supported: "));
  }

  @Test
  void of_unsupportedValues_haveNotes() throws Exception {
    Migrated migrated =
        of(
            "nfs: {server: s}\nimage: {tag: v4.0.2}\nstorageClass: {create: false}\nresources: {limits: {cpu: 1}}\npodSecurityContext: {runAsUser: 1000, fsGroup: 5}\nreplicaCount: 2");
    assertThat(migrated.storageClass()).isEmpty();
    assertThat(migrated.values()).containsEntry("replicaCount", 2);
    assertThat((Map<?, ?>) migrated.values().get("nfs")).extracting("runAsUser").isEqualTo(1000);
    assertThat(migrated.notes())
        .anyMatch(note -> note.startsWith("image.tag is not supported"))
        .anyMatch(note -> note.startsWith("resources is not supported"))
        .anyMatch(note -> note.startsWith("podSecurityContext.fsGroup is not supported"))
        .anyMatch(note -> note.startsWith("storageClass.create is false"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{nfs: {sever: s}, storageclass: {name: x}} | nfs.sever (nfs.server?), storageclass",
        "{nfs: {server: s}, extra: 1}               | has no values extra: remove them",
        "{nfs: {path: /p}}                          | nfs.server is missing",
        "{nfs: {server: [a]}}                       | nfs.server is missing or not a string",
        "{nfs: 10.0.0.1}                            | has no values nfs",
        "{nfs: {server: s}, storageClass: {onDelete: remove}}      | storageClass.onDelete \"remove\"",
        "{nfs: {server: s}, storageClass: {defaultClass: perhaps}} | storageClass.defaultClass \"perhaps\"",
      })
  void of_unknownOrInvalidValues_throws(String yaml, String problem) {
    assertThatThrownBy(() -> of(yaml))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                nfs,                             cluster.local/nfs-nfs-subdir-external-provisioner",
    "'',                                my-nfs-subdir-external-provisioner, cluster.local/my-nfs-subdir-external-provisioner",
    "nameOverride: disks,               nfs,                             cluster.local/nfs-disks",
    "nameOverride: disks,               nfs-disks,                       cluster.local/nfs-disks",
    "fullnameOverride: full,            nfs,                             cluster.local/full",
    "'', a-release-of-thirty-three-letters, cluster.local/a-release-of-thirty-three-letters-nfs-subdir-external-provision",
  })
  void of_release_derivesProvisionerName(String more, String release, String name)
      throws Exception {
    Map<?, ?> values = new Yaml().load("nfs: {server: s}\n" + more);
    assertThat(NfsSubdirValues.of(values, Optional.of(release)).storageClass().orElseThrow())
        .containsEntry("provisioner", name);
  }

  @Test
  void of_missingRelease_throws() {
    assertThatThrownBy(
            () -> NfsSubdirValues.of(Map.of("nfs", Map.of("server", "s")), Optional.empty()))
        .hasMessageContaining("--release NAME");
  }
}
