package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClaimManifestTest {
  private static Map<String, Object> claim(Map<String, Object> annotations) {
    return new TreeMap<>(
        Map.of(
            "metadata",
            new TreeMap<>(
                Map.of(
                    "name",
                    "data",
                    "namespace",
                    "shop",
                    "uid",
                    "u",
                    "resourceVersion",
                    "7",
                    "deletionTimestamp",
                    "2026-01-01T00:00:00Z",
                    "labels",
                    Map.of("app", "db"),
                    "annotations",
                    annotations,
                    "finalizers",
                    List.of("kubernetes.io/pvc-protection"),
                    "ownerReferences",
                    List.of(Map.of("kind", "StatefulSet")))),
            "spec",
            Map.of("accessModes", List.of("ReadWriteOnce")),
            "status",
            Map.of("phase", "Bound")));
  }

  @Test
  void of_claim_keepsDescriptionAndSpecOnly() {
    String manifest =
        ClaimManifest.of(
            claim(
                new TreeMap<>(
                    Map.of("note", "a \"b\"\n", "pv.kubernetes.io/bind-completed", "yes"))));
    assertThat(manifest)
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"data\",\"namespace\":\"shop\",\"uid\":\"u\",\"labels\":{\"app\":\"db\"},\"annotations\":{\"note\":\"a \\\"b\\\"\\u000a\"}},\"spec\":{\"accessModes\":[\"ReadWriteOnce\"]}}");
  }

  @Test
  void of_largeClaim_dropsAnnotations() {
    assertThat(ClaimManifest.of(claim(Map.of("note", "x".repeat(ClaimManifest.MAX_BYTES)))))
        .hasSizeLessThan(ClaimManifest.MAX_BYTES)
        .contains("\"app\":\"db\"")
        .doesNotContain("annotations");
  }
}
