package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Deleter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemovalDecisionTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private static List<BasePath> bases(String... texts) throws InvalidInputException {
    List<BasePath> bases = new ArrayList<>();
    for (String text : texts) {
      bases.add(BasePath.of(text));
    }
    return bases;
  }

  private static String verdict(String type, String path) throws InvalidInputException {
    RemovalDecision removal =
        RemovalDecision.of(
            LocalPathFixtures.deleteRequest(
                "pvc-1",
                new VolumeSource(type, Map.of("path", path)),
                CLAIM,
                Map.of(),
                NodeAffinity.NONE),
            bases("/opt/lp", "/opt/lp/deep", "/data", "/data/ns/c/far"));
    return switch (removal) {
      case RemovalDecision.Remove(VolumeDirectory directory) -> "own " + directory;
      case RemovalDecision.RemoveIfUnshared(VolumeDirectory directory) -> "alone " + directory;
      case RemovalDecision.Reject(String reason) -> "never";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "hostPath, /opt/lp/pvc-1_ns_c,             own /opt/lp/pvc-1_ns_c",
    "local,    /opt/lp/pvc-1_ns_c,             own /opt/lp/pvc-1_ns_c",
    "local,    /data/pvc-1_ns_c,               own /data/pvc-1_ns_c",
    // names of early versions
    "hostPath, /opt/lp/pvc-1,                  alone /opt/lp/pvc-1",
    "hostPath, /opt/lp/pvc-1_other_claim,      own /opt/lp/pvc-1_other_claim",
    "hostPath, /opt/lp/deep/pvc-1_ns_c,        own /opt/lp/deep/pvc-1_ns_c",
    // names from pathPattern
    "hostPath, /opt/lp/ns/c,                   alone /opt/lp/ns/c",
    "hostPath, /opt/lp/ns/c/x/y,               alone /opt/lp/ns/c/x/y",
    // directories of other volumes, of other claims, and above the own one
    "hostPath, /opt/lp/pvc-10_ns_c,            never",
    "hostPath, /opt/lp/pvc-2_ns_c,             never",
    "hostPath, /opt/lp/ns,                     never",
    "hostPath, /opt/lp/ns/d,                   never",
    "hostPath, /opt/lp/other/c,                never",
    "hostPath, /opt/lp/x/pvc-1_ns_c,           never",
    // directories above a configured path
    "hostPath, /data/ns/c,                     never",
    "hostPath, /data/ns/c/fa,                  alone /data/ns/c/fa",
    "hostPath, /opt/lp,                        never",
    "hostPath, /opt/lp/,                       never",
    "hostPath, /,                              never",
    "hostPath, '',                             never",
    "hostPath, /opt/lpx/pvc-1_ns_c,            never",
    "hostPath, /etc/pvc-1_ns_c,                never",
    "hostPath, opt/lp/pvc-1_ns_c,              never",
    // paths that are not in normal form
    "hostPath, /opt/lp/../lp/pvc-1_ns_c,       never",
    "hostPath, /opt/lp/./pvc-1_ns_c,           never",
    "hostPath, /opt/lp//pvc-1_ns_c,            never",
    "hostPath, /opt/lp/pvc-1_ns_c/,            never",
    "hostPath, /opt/lp/pvc-1_ns_c/..,          never",
    "hostPath, /opt/lp/pvc-1_ns_c/../../etc,   never",
    "hostPath, /opt/lp/ns/c/../../pvc-2_ns_c,  never",
    "hostPath, /opt/lp/ns/c/../d,              never",
    // other volume types with paths
    "nfs,      /opt/lp/pvc-1_ns_c,             never",
    "'',       /opt/lp/pvc-1_ns_c,             never",
  })
  void of_typeAndPath_givesDecision(String type, String path, String expected)
      throws InvalidInputException {
    assertThat(verdict(type, path)).isEqualTo(expected);
  }

  @Test
  void of_volumeWithoutClaim_requiresVolumeName() throws InvalidInputException {
    assertThat(
            RemovalDecision.of(
                LocalPathFixtures.deleteRequest("pvc-1", "/opt/lp/ns/c", null, Map.of()),
                bases("/opt/lp")))
        .isInstanceOf(RemovalDecision.Reject.class);
  }

  /** The administrator has changed the base path since the volume was created. */
  @ParameterizedTest
  @CsvSource({
    "/old/lp/pvc-1_ns_c,       rancher.io/local-path, own /old/lp/pvc-1_ns_c",
    "/old/lp/pvc-1_ns_c,       example.com/other,     never",
    "/old/lp/pvc-1_ns_c,       '',                    never",
    "/old/lp/pvc-1_ns_d,       rancher.io/local-path, never",
    "/old/lp/pvc-1_ns_c_d,     rancher.io/local-path, never",
    "/old/lp/pvc-2_ns_c,       rancher.io/local-path, never",
    "/old/lp/pvc-1,            rancher.io/local-path, never",
    "/old/lp/ns/c,             rancher.io/local-path, never",
    "/pvc-1_ns_c,              rancher.io/local-path, never",
    "/old/../lp/pvc-1_ns_c,    rancher.io/local-path, never",
    "/old//lp/pvc-1_ns_c,      rancher.io/local-path, never",
    "/old/lp//pvc-1_ns_c,      rancher.io/local-path, never",
    "old/lp/pvc-1_ns_c,        rancher.io/local-path, never",
  })
  void ofUnconfiguredPath_directory_isRemovedIfPluginCreatedIt(
      String path, String provisioner, String expected) throws InvalidInputException {
    Deleter.Request request =
        LocalPathFixtures.deleteRequest(
            "pvc-1",
            new VolumeSource("hostPath", Map.of("path", path)),
            CLAIM,
            Map.of(RemovalDecision.PROVISIONED_BY, provisioner),
            NodeAffinity.NONE);
    assertThat(
            RemovalDecision.ofUnconfiguredPath(request, bases("/opt/lp"), "rancher.io/local-path")
                .map(own -> "own " + own.directory())
                .orElse("never"))
        .isEqualTo(expected);
  }

  private static final List<String> PIECES =
      List.of(
          "..",
          ".",
          "/",
          "//",
          "",
          "a",
          "ns",
          "c",
          "ns/c",
          "pvc-1",
          "pvc-1_",
          "pvc-1_ns_c",
          "/opt/lp",
          "/opt/lp/",
          "/data",
          "opt",
          "lp",
          "%2e%2e",
          "..%2f",
          "\\",
          "~",
          "-rf",
          "*",
          "\u0000",
          "\n",
          "\u2215",
          "\uff0f",
          "\u202e",
          "\uD800",
          " ",
          ".mooring-new-x",
          "$(id)");

  @Test
  void of_anyPath_staysBelowBase() throws InvalidInputException {
    Random random = new Random(Long.getLong("mooring.localpath.seed", 1));
    int removed = 0;
    for (int i = 0; i < Integer.getInteger("mooring.localpath.inputs", 50_000); i++) {
      StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "" : "/opt/lp/");
      for (int j = random.nextInt(6); j > 0; j--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
        text.append(random.nextInt(3) == 0 ? "/" : "");
      }
      String path = text.toString();
      String verdict = verdict("hostPath", path);
      if (!verdict.equals("never")) {
        removed++;
        assertThat(verdict).endsWith(" " + path);
        assertThat(java.nio.file.Path.of(path).normalize()).hasToString(path);
        assertThat(path)
            .matches(
                "(/opt/lp|/opt/lp/deep|/data|/data/ns/c/far)/(pvc-1|pvc-1_[^/]*|ns/c(/[^/]+)*)")
            .doesNotContain("\u0000", "\n", "/../", "//");
      }
    }
    assertThat(removed).as("some paths are good").isGreaterThan(100);
  }
}
