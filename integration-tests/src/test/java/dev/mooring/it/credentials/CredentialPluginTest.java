package dev.mooring.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.tls.CertificateAuthority.KeyPairFiles;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests credentials printed by an exec plugin of the kubeconfig. */
class CredentialPluginTest extends CredentialsFixture {
  /** Creates a plugin that counts its runs and stores its input. */
  private String writePlugin(String version) throws IOException {
    Path script =
        write(
            "plugin.sh",
            """
            #!/bin/sh
            cd "$(dirname "$0")" || exit 9
            echo run >> runs
            printf '%s' "$KUBERNETES_EXEC_INFO" > asked
            [ -f broken ] && exit 3
            while [ -f slow ]; do sleep 0.05; done
            cat answer
            """);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return "exec: {apiVersion: %s, command: ./plugin.sh, interactiveMode: Never, provideClusterInfo: true, env: [{name: A, value: b}]}"
        .formatted(version);
  }

  private void writeAnswer(String version, String status) throws IOException {
    write(
        "answer",
        "{\"apiVersion\": \"%s\", \"kind\": \"ExecCredential\", \"status\": {%s}}"
            .formatted(version, status));
  }

  /** A plugin may run for a minute. A lease renewal must not wait for it. */
  @Test
  void plugin_slow_doesNotExceedCallTimeout() throws Exception {
    writeAnswer(V1, "\"token\": \"one\"");
    write("slow", "");
    connect(writePlugin(V1));
    KubeCluster clusterWithShortTimeout =
        KubeCluster.impatient(connection, () -> Duration.ofMillis(200), time);
    assertThat(clusterWithShortTimeout.read(Kind.NODE, ObjectKey.cluster("n")))
        .asString()
        .contains("has not answered in time");
    Files.delete(folder.resolve("slow"));
    assertAccepted();
    assertThat(Files.readAllLines(folder.resolve("runs"))).as("plugin still runs").hasSize(1);
  }

  private long countRuns() throws IOException {
    try (var lines = Files.lines(folder.resolve("runs"))) {
      return lines.count();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"})
  void plugin_tokenNearExpiry_isRunAgain(String version) throws Exception {
    writeAnswer(version, tokenUntil("one", Duration.ofMinutes(15)));
    connect(writePlugin(version));
    assertAccepted();
    assertAccepted();
    assertThat(lastAuthorization()).isEqualTo("Bearer one");
    assertThat(countRuns()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("asked")))
        .contains(version, "certificate-authority-data", "https://127.0.0.1:");
    writeAnswer(version, tokenUntil("two", Duration.ofMinutes(30)));
    time.advance(Duration.ofMinutes(14).plusSeconds(30));
    TestWait.until(
        "second token is presented",
        () -> {
          assertAccepted(); // the first token stays in use while the plugin runs
          return lastAuthorization().equals("Bearer two");
        });
    assertThat(countRuns()).isEqualTo(2);
  }

  private String tokenUntil(String token, Duration lifetime) {
    return "\"token\": \"%s\", \"expirationTimestamp\": \"%s\""
        .formatted(token, time.now().plus(lifetime));
  }

  private static final String V1 = "client.authentication.k8s.io/v1";

  @Test
  void plugin_tokenRejected_isRunAgainOnce() throws Exception {
    writeAnswer(V1, "\"token\": \"one\"");
    connect(writePlugin(V1));
    assertAccepted();
    server.acceptToken("two");
    writeAnswer(V1, "\"token\": \"two\"");
    assertAccepted();
    assertThat(countRuns()).isEqualTo(2);
    server.acceptIf(request -> false);
    for (int i = 0; i < 10; i++) {
      assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    }
    assertThat(countRuns()).as("runs after ten refusals").isLessThanOrEqualTo(3);
  }

  @Test
  void plugin_failure_isReportedAndRetried() throws Exception {
    writeAnswer(V1, tokenUntil("one", Duration.ofMinutes(15)));
    connect(writePlugin(V1));
    assertAccepted();
    write("broken", "");
    time.advance(Duration.ofMinutes(16));
    assertThat(readError()).contains("plugin.sh", "failed with exit code 3");
    long runsBefore = countRuns();
    for (int i = 0; i < 20; i++) {
      assertThat(readError()).contains("failed with exit code 3");
    }
    assertThat(countRuns()).as("no retry during the back-off").isEqualTo(runsBefore);
    Files.delete(folder.resolve("broken"));
    writeAnswer(V1, tokenUntil("two", Duration.ofMinutes(30)));
    time.advance(Duration.ofMinutes(1));
    assertAccepted();
    assertThat(lastAuthorization()).isEqualTo("Bearer two");
  }

  @Test
  void plugin_expiredCertificate_isRenewed() throws Exception {
    writeAnswer(V1, certificateUntil("one", Duration.ofMinutes(15)));
    connect(writePlugin(V1));
    assertAccepted();
    assertThat(server.lastRequest().certificate()).contains("CN=one");
    writeAnswer(V1, certificateUntil("two", Duration.ofMinutes(31)));
    time.advance(Duration.ofMinutes(16));
    assertAccepted();
    assertThat(server.lastRequest().certificate()).contains("CN=two");
  }

  private String certificateUntil(String name, Duration lifetime) throws Exception {
    return "%s, \"expirationTimestamp\": \"%s\""
        .formatted(certificate(name), time.now().plus(lifetime));
  }

  private String certificate(String name) throws Exception {
    KeyPairFiles pair = authority.client(name, List.of(), LIFETIME);
    return "\"clientCertificateData\": \"%s\", \"clientKeyData\": \"%s\""
        .formatted(pair.certificate().replace("\n", "\\n"), pair.key().replace("\n", "\\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CERTIFICATE", "PRIVATE KEY"})
  void plugin_unusableCertificateOrKey_isRunAgain(String damagedBlock) throws Exception {
    String usable = certificate("one");
    writeAnswer(V1, usable.replace("-----END " + damagedBlock, "-----END"));
    connect(writePlugin(V1));
    assertThat(readError()).contains("plugin.sh", "unusable certificate or key");
    writeAnswer(V1, usable);
    time.advance(Duration.ofSeconds(31));
    assertAccepted();
    assertThat(countRuns()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not json",
        "{}",
        "{\"apiVersion\": \"client.authentication.k8s.io/v1\"}",
        "{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"status\": {}}",
        "{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"status\": {\"clientKeyData\": \"s3cret\"}}",
        "{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"status\": {\"token\": \"s3cret\", \"expirationTimestamp\": \"later\"}}"
      })
  void plugin_invalidOutput_isReported(String output) throws Exception {
    write("answer", output);
    connect(writePlugin(V1));
    assertThat(readError()).contains("plugin.sh").doesNotContain("s3cret");
    assertThat(connection.probe()).contains("plugin.sh");
    assertThat(server.receivedRequests()).isEmpty();
  }

  @Test
  void plugin_missing_isReportedWithRemedy() throws Exception {
    connect(
        "exec: {apiVersion: %s, command: no-such-plugin, interactiveMode: Never, installHint: \"run get-it\"}"
            .formatted(V1));
    assertThat(readError()).contains("no-such-plugin", "run get-it");
  }
}
