package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.decide.ClassParameters.Purpose;
import dev.mooring.model.Claim;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** spec/csi-bridge.md 5.1, 5.2 and its cases 1 to 6. */
class ClassParametersTest {
  private static final String NAME = "csi.storage.k8s.io/provisioner-secret-name";
  private static final String NAMESPACE = "csi.storage.k8s.io/provisioner-secret-namespace";
  private static final Claim CLAIM =
      DriverClaims.claim().annotation("key", "value").annotation("evil", "kube-system").build();

  private static Checked<Optional<SecretRef>> provision(Map<String, String> all) {
    return new ClassParameters(all).secret(Purpose.PROVISION, "pvc-1", CLAIM);
  }

  private static Checked<Optional<SecretRef>> found(String namespace, String name) {
    return new Checked.Valid<>(Optional.of(new SecretRef(namespace, name)));
  }

  private static String why(Checked<?> checked) {
    return checked instanceof Checked.Invalid<?>(String why) ? why : "";
  }

  @Test
  void noneWhereNoneIsNamed() {
    assertThat(provision(Map.of("tier", "fast"))).isEqualTo(new Checked.Valid<>(Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "csi.storage.k8s.io/node-stage-secret-name, ${pvc.annotations['key']},         true",
    "csi.storage.k8s.io/secret-name,            x-$pvc.annotations['key'],         true",
    "csiNodePublishSecretName,                  ${pvc.annotations['key']},         true",
    "csi.storage.k8s.io/secret-name,            ${pvc.namespace}-${pvc.name},      false",
    "tier,                                      ${pvc.annotations['key']},         false",
  })
  void annotationsAreReadForTheNamesOfCredentialsAlone(String key, String value, boolean read) {
    assertThat(new ClassParameters(Map.of(key, value)).readsAnnotations()).isEqualTo(read);
  }

  @Test
  void bothPartsOrNone() {
    assertThat(provision(Map.of(NAME, "s", NAMESPACE, "n"))).isEqualTo(found("n", "s"));
    assertThat(why(provision(Map.of(NAME, "s")))).contains("only one of them");
    assertThat(why(provision(Map.of(NAMESPACE, "n")))).contains("only one of them");
    assertThat(why(provision(Map.of(NAME, "", NAMESPACE, "n")))).contains("is empty");
    assertThat(why(provision(Map.of(NAME, "s", NAMESPACE, "n", "csiProvisionerSecretName", "old"))))
        .contains("both", "csiProvisionerSecretName");
    assertThat(
            provision(
                Map.of("csiProvisionerSecretName", "s", "csiProvisionerSecretNamespace", "n")))
        .isEqualTo(found("n", "s"));
  }

  @ParameterizedTest
  @CsvSource({
    "${pv.name},                       pvc-1",
    "$pv.name,                         pvc-1",
    "${pvc.name}-x,                    c-x",
    "${pvc.namespace}.${pvc.name},     ns.c",
    "${pvc.annotations['key']},        value",
  })
  void aNameMayBeATemplate(String template, String name) {
    assertThat(provision(Map.of(NAME, template, NAMESPACE, "${pvc.namespace}")))
        .isEqualTo(found("ns", name));
  }

  /** Or whoever makes a claim could name the credentials of somebody else. */
  @ParameterizedTest
  @CsvSource({"${pvc.annotations['evil']}", "${pvc.name}", "${unknown}"})
  void whatAUserWritesNeverChoosesTheNamespace(String template) {
    assertThat(why(provision(Map.of(NAME, "s", NAMESPACE, template)))).contains("invalid tokens");
  }

  @Test
  void theResultHasToBeAName() {
    assertThat(why(provision(Map.of(NAME, "-bad-", NAMESPACE, "n")))).contains("-bad-");
    assertThat(why(provision(Map.of(NAME, "${pvc.annotations['none']}", NAMESPACE, "n"))))
        .contains("absent");
  }

  @Test
  void oneSecretMayServeEveryPurpose() {
    Map<String, String> all =
        Map.of(
            "csi.storage.k8s.io/secret-name",
            "all-${pvc.name}",
            "csi.storage.k8s.io/secret-namespace",
            "n",
            NAME,
            "own",
            NAMESPACE,
            "n");
    assertThat(provision(all)).isEqualTo(found("n", "own"));
    assertThat(new ClassParameters(all).secret(Purpose.NODE_STAGE, "pvc-1", CLAIM))
        .isEqualTo(found("n", "all-c"));
  }

  @Test
  void theDriverIsToldWhatIsMeantForIt() {
    assertThat(
            new ClassParameters(
                    Map.of(
                        "tier",
                        "fast",
                        "csiProvisionerSecretName",
                        "kept",
                        NAME,
                        "s",
                        "csi.storage.k8s.io/fstype",
                        "xfs"))
                .forDriver())
        .isEqualTo(new Checked.Valid<>(Map.of("tier", "fast", "csiProvisionerSecretName", "kept")));
    assertThat(new ClassParameters(Map.of("fsType", "cephfs")).forDriver())
        .as("some drivers choose the kind of volume by it")
        .isEqualTo(new Checked.Valid<>(Map.of("fsType", "cephfs")));
    assertThat(why(new ClassParameters(Map.of("csi.storage.k8s.io/typo", "x")).forDriver()))
        .isEqualTo(
            "found unknown parameter key \"csi.storage.k8s.io/typo\" with reserved namespace csi.storage.k8s.io/");
  }

  @Test
  void theOlderNamesAreDeprecated() {
    assertThat(
            new ClassParameters(
                    Map.of(
                        "FSType", "xfs", "csiNodeStageSecretName", "s", "tier", "fast", NAME, "x"))
                .deprecated())
        .isEqualTo(
            Map.of(
                "FSType",
                "csi.storage.k8s.io/fstype",
                "csiNodeStageSecretName",
                "csi.storage.k8s.io/node-stage-secret-name"));
  }

  @Test
  void theFileSystemIsNamedOnceAtMost() {
    assertThat(new ClassParameters(Map.of("fstype", "")).fsType("ext4"))
        .isEqualTo(new Checked.Valid<>("ext4"));
    assertThat(new ClassParameters(Map.of()).fsType("ext4")).isEqualTo(new Checked.Valid<>("ext4"));
    assertThat(new ClassParameters(Map.of("FSType", "xfs")).fsType("ext4"))
        .isEqualTo(new Checked.Valid<>("xfs"));
    assertThat(
            new ClassParameters(Map.of("fstype", "xfs", "csi.storage.k8s.io/fstype", "ext4"))
                .fsType(""))
        .isInstanceOf(Checked.Invalid.class);
  }
}
