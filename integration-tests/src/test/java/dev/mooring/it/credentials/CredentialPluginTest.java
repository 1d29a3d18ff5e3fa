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
  private String plugin(String version) throws IOException {
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

  private void answer(String version, String status) throws IOException {
    write(
        "answer",
        "{\"apiVersion\": \"%s\", \"kind\": \"ExecCredential\", \"status\": {%s}}"
            .formatted(version, status));
  }

  /**
   * Guards against a lease renewal that hangs as long as the plugin, which may run for a minute.
   */
  @Test
  void plugin_slow_doesNotExceedCallTimeout() throws Exception {
    answer(V1, "\"token\": \"one\"");
    write("slow", "");
    connect(plugin(V1));
    KubeCluster impatient = KubeCluster.impatient(connection, () -> Duration.ofMillis(200), time);
    assertThat(impatient.read(Kind.NODE, ObjectKey.cluster("n")))
        .asString()
        .contains("has not answered in time");
    Files.delete(folder.resolve("slow"));
    assertAccepted();
    assertThat(Files.readAllLines(folder.resolve("runs"))).as("plugin still runs").hasSize(1);
  }

  private long runs() throws IOException {
    try (var lines = Files.lines(folder.resolve("runs"))) {
      return lines.count();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"})
  void plugin_tokenNearExpiry_isRunAgain(String version) throws Exception {
    answer(version, until("one", Duration.ofMinutes(15)));
    connect(plugin(version));
    assertAccepted();
    assertAccepted();
    assertThat(shown()).isEqualTo("Bearer one");
    assertThat(runs()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("asked")))
        .contains(version, "certificate-authority-data", "https://127.0.0.1:");
    answer(version, until("two", Duration.ofMinutes(30)));
    time.advance(Duration.ofMinutes(14).plusSeconds(30));
    TestWait.until(
        "second token is presented",
        () -> {
          assertAccepted(); // the first token stays in use while the plugin runs
          return shown().equals("Bearer two");
        });
    assertThat(runs()).isEqualTo(2);
  }

  private String until(String token, Duration life) {
    return "\"token\": \"%s\", \"expirationTimestamp\": \"%s\""
        .formatted(token, time.now().plus(life));
  }

  private static final String V1 = "client.authentication.k8s.io/v1";

  @Test
  void plugin_tokenRejected_isRunAgainOnce() throws Exception {
    answer(V1, "\"token\": \"one\"");
    connect(plugin(V1));
    assertAccepted();
    server.acceptToken("two");
    answer(V1, "\"token\": \"two\"");
    assertAccepted();
    assertThat(runs()).isEqualTo(2);
    server.acceptIf(request -> false);
    for (int i = 0; i < 10; i++) {
      assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    }
    assertThat(runs()).as("not run for every refusal").isLessThanOrEqualTo(3);
  }

  @Test
  void plugin_failure_isReportedAndRetried() throws Exception {
    answer(V1, until("one", Duration.ofMinutes(15)));
    connect(plugin(V1));
    assertAccepted();
    write("broken", "");
    time.advance(Duration.ofMinutes(16));
    assertThat(unknown()).contains("plugin.sh", "failed with exit code 3");
    long tried = runs();
    for (int i = 0; i < 20; i++) {
      assertThat(unknown()).contains("failed with exit code 3");
    }
    assertThat(runs()).as("no retry during the back-off").isEqualTo(tried);
    Files.delete(folder.resolve("broken"));
    answer(V1, until("two", Duration.ofMinutes(30)));
    time.advance(Duration.ofMinutes(1));
    assertAccepted();
    assertThat(shown()).isEqualTo("Bearer two");
  }

  @Test
  void plugin_certificate_isRenewed() throws Exception {
    answer(V1, pair("one", Duration.ofMinutes(15)));
    connect(plugin(V1));
    assertAccepted();
    assertThat(server.last().certificate()).contains("CN=one");
    answer(V1, pair("two", Duration.ofMinutes(31)));
    time.advance(Duration.ofMinutes(16));
    assertAccepted();
    assertThat(server.last().certificate()).contains("CN=two");
  }

  private String pair(String name, Duration until) throws Exception {
    KeyPairFiles pair = authority.client(name, List.of(), LIFE);
    return "\"clientCertificateData\": \"%s\", \"clientKeyData\": \"%s\", \"expirationTimestamp\": \"%s\""
        .formatted(
            pair.certificate().replace("\n", "\\n"),
            pair.key().replace("\n", "\\n"),
            time.now().plus(until));
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
  void plugin_invalidOutput_isReported(String nonsense) throws Exception {
    write("answer", nonsense);
    connect(plugin(V1));
    assertThat(unknown()).contains("plugin.sh").doesNotContain("s3cret");
    assertThat(connection.probe()).contains("plugin.sh");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void plugin_missing_isReportedWithRemedy() throws Exception {
    connect(
        "exec: {apiVersion: %s, command: no-such-plugin, interactiveMode: Never, installHint: \"run get-it\"}"
            .formatted(V1));
    assertThat(unknown()).contains("no-such-plugin", "run get-it");
  }
}
