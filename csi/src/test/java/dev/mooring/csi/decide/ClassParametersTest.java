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

class ClassParametersTest {
  private static final String NAME = "csi.storage.k8s.io/provisioner-secret-name";
  private static final String NAMESPACE = "csi.storage.k8s.io/provisioner-secret-namespace";
  private static final Claim CLAIM =
      DriverClaims.claim().annotation("key", "value").annotation("evil", "kube-system").build();

  private static CheckResult<Optional<SecretRef>> provision(Map<String, String> parameters) {
    return new ClassParameters(parameters).resolveSecret(Purpose.PROVISION, "pvc-1", CLAIM);
  }

  private static CheckResult<Optional<SecretRef>> validSecret(String namespace, String name) {
    return new CheckResult.Valid<>(Optional.of(new SecretRef(namespace, name)));
  }

  private static String reasonOf(CheckResult<?> checked) {
    return checked instanceof CheckResult.Invalid<?>(String reason) ? reason : "";
  }

  @Test
  void resolveSecret_noParameters_isEmpty() {
    assertThat(provision(Map.of("tier", "fast")))
        .isEqualTo(new CheckResult.Valid<>(Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "csi.storage.k8s.io/node-stage-secret-name, ${pvc.annotations['key']},         true",
    "csi.storage.k8s.io/secret-name,            x-$pvc.annotations['key'],         true",
    "csiNodePublishSecretName,                  ${pvc.annotations['key']},         true",
    "csi.storage.k8s.io/secret-name,            ${pvc.namespace}-${pvc.name},      false",
    "tier,                                      ${pvc.annotations['key']},         false",
  })
  void readsAnnotations_parameter_isTrueOnlyForSecretNames(String key, String value, boolean read) {
    assertThat(new ClassParameters(Map.of(key, value)).readsAnnotations()).isEqualTo(read);
  }

  @Test
  void resolveSecret_onlyNameOrNamespace_isInvalid() {
    assertThat(provision(Map.of(NAME, "s", NAMESPACE, "n"))).isEqualTo(validSecret("n", "s"));
    assertThat(reasonOf(provision(Map.of(NAME, "s")))).contains("only one of them");
    assertThat(reasonOf(provision(Map.of(NAMESPACE, "n")))).contains("only one of them");
    assertThat(reasonOf(provision(Map.of(NAME, "", NAMESPACE, "n")))).contains("is empty");
    assertThat(
            reasonOf(
                provision(Map.of(NAME, "s", NAMESPACE, "n", "csiProvisionerSecretName", "old"))))
        .contains("both", "csiProvisionerSecretName");
    assertThat(
            provision(
                Map.of("csiProvisionerSecretName", "s", "csiProvisionerSecretNamespace", "n")))
        .isEqualTo(validSecret("n", "s"));
  }

  @ParameterizedTest
  @CsvSource({
    "${pv.name},                       pvc-1",
    "${pvc.name}-x,                    c-x",
    "${pvc.namespace}.${pvc.name},     ns.c",
    "${pvc.annotations['key']},        value",
  })
  void resolveSecret_templateName_isResolved(String template, String name) {
    assertThat(provision(Map.of(NAME, template, NAMESPACE, "${pvc.namespace}")))
        .isEqualTo(validSecret("ns", name));
  }

  /** Without braces, a name ends at the first dot. */
  @ParameterizedTest
  @CsvSource({"$pv.name, [pv]", "x-$pvc.name, [pvc]", "a$$b, [$]", "a$1b, [1]"})
  void resolveSecret_tokenWithoutBraces_isInvalid(String template, String token) {
    assertThat(reasonOf(provision(Map.of(NAME, template, NAMESPACE, "n"))))
        .contains("invalid tokens: " + token);
  }

  /** A claim's author must not choose a Secret in another namespace. */
  @ParameterizedTest
  @CsvSource({"${pvc.annotations['evil']}", "${pvc.name}", "${unknown}"})
  void resolveSecret_claimTokenInNamespace_isInvalid(String template) {
    assertThat(reasonOf(provision(Map.of(NAME, "s", NAMESPACE, template))))
        .contains("invalid tokens");
  }

  @Test
  void resolveSecret_invalidResolvedName_isInvalid() {
    assertThat(reasonOf(provision(Map.of(NAME, "-bad-", NAMESPACE, "n")))).contains("-bad-");
    assertThat(reasonOf(provision(Map.of(NAME, "${pvc.annotations['none']}", NAMESPACE, "n"))))
        .contains("absent");
  }

  @Test
  void resolveSecret_defaultSecret_servesOtherPurposes() {
    Map<String, String> parameters =
        Map.of(
            "csi.storage.k8s.io/secret-name",
            "all-${pvc.name}",
            "csi.storage.k8s.io/secret-namespace",
            "n",
            NAME,
            "own",
            NAMESPACE,
            "n");
    assertThat(provision(parameters)).isEqualTo(validSecret("n", "own"));
    assertThat(new ClassParameters(parameters).resolveSecret(Purpose.NODE_STAGE, "pvc-1", CLAIM))
        .isEqualTo(validSecret("n", "all-c"));
  }

  @Test
  void selectForDriver_reservedParameters_areOmitted() {
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
                .selectForDriver())
        .isEqualTo(
            new CheckResult.Valid<>(Map.of("tier", "fast", "csiProvisionerSecretName", "kept")));
    assertThat(new ClassParameters(Map.of("fsType", "cephfs")).selectForDriver())
        .as("some drivers choose the volume type by it")
        .isEqualTo(new CheckResult.Valid<>(Map.of("fsType", "cephfs")));
    assertThat(
            reasonOf(new ClassParameters(Map.of("csi.storage.k8s.io/typo", "x")).selectForDriver()))
        .isEqualTo(
            "found unknown parameter key \"csi.storage.k8s.io/typo\" with reserved namespace csi.storage.k8s.io/");
  }

  @Test
  void findDeprecated_oldNames_returnsReplacements() {
    assertThat(
            new ClassParameters(
                    Map.of(
                        "FSType", "xfs", "csiNodeStageSecretName", "s", "tier", "fast", NAME, "x"))
                .findDeprecated())
        .isEqualTo(
            Map.of(
                "FSType",
                "csi.storage.k8s.io/fstype",
                "csiNodeStageSecretName",
                "csi.storage.k8s.io/node-stage-secret-name"));
  }

  @Test
  void resolveFsType_twoParameters_isInvalid() {
    assertThat(new ClassParameters(Map.of("fstype", "")).resolveFsType("ext4"))
        .isEqualTo(new CheckResult.Valid<>("ext4"));
    assertThat(new ClassParameters(Map.of()).resolveFsType("ext4"))
        .isEqualTo(new CheckResult.Valid<>("ext4"));
    assertThat(new ClassParameters(Map.of("FSType", "xfs")).resolveFsType("ext4"))
        .isEqualTo(new CheckResult.Valid<>("xfs"));
    assertThat(
            new ClassParameters(Map.of("fstype", "xfs", "csi.storage.k8s.io/fstype", "ext4"))
                .resolveFsType(""))
        .isInstanceOf(CheckResult.Invalid.class);
  }
}
