package dev.mooring.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.tls.Authority;
import dev.mooring.apiserver.tls.Authority.Credential;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of credential, over TLS, rotated while it is used. */
class CredentialsTest {
  private static final Duration A_MOMENT = Duration.ofSeconds(2);
  private static final Duration FRESH = Duration.ofSeconds(51);
  private static final Duration LIFE = Duration.ofHours(1);

  private final SimTime time = new SimTime();
  @TempDir private Path folder;
  private Authority authority;
  private TlsServer server;
  private KubeCluster cluster;
  private KubeConnection connection;

  @BeforeEach
  void start() throws Exception {
    authority = new Authority();
    server = new TlsServer(authority, 0);
    write("ca.crt", authority.pem());
  }

  @AfterEach
  void stop() {
    server.close();
    if (connection != null) {
      connection.close();
    }
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Connects as that user, of whom only the members of the YAML flow mapping are given. */
  private void connect(String user) throws Exception {
    connect("certificate-authority: ca.crt", user);
  }

  private void connect(String more, String user) throws Exception {
    connect("127.0.0.1", more, user);
  }

  private void connect(String host, String more, String user) throws Exception {
    Path file =
        write(
            "kubeconfig",
            """
            apiVersion: v1
            kind: Config
            current-context: test
            contexts: [{name: test, context: {cluster: test, user: test}}]
            clusters: [{name: test, cluster: {server: "https://%s:%d", %s}}]
            users: [{name: test, user: {%s}}]
            """
                .formatted(host, server.port(), more, user));
    connection = KubeConnection.ofFiles(List.of(file), "", "test", time);
    cluster = KubeCluster.alone(connection, time);
  }

  private ReadResult<Node> read() throws InterruptedException {
    return cluster.read(Kind.NODE, ObjectKey.cluster("n"));
  }

  private void isKnown() throws InterruptedException {
    assertThat(read()).isInstanceOf(ReadResult.Found.class);
  }

  private String unknown() throws InterruptedException {
    assertThat(cluster.patch(Kind.NODE, ObjectKey.cluster("n"), Document.empty()))
        .isInstanceOf(WriteResult.Unreachable.class);
    return read() instanceof ReadResult.Failed<Node>(String message) ? message : "";
  }

  private String shown() {
    return server.last().header("Authorization");
  }

  @Test
  void aTokenFileIsReadAgain() throws Exception {
    write("token", "one\n");
    connect("tokenFile: token");
    isKnown();
    assertThat(shown()).isEqualTo("Bearer one");
    write("token", "two\n");
    isKnown();
    assertThat(shown()).as("it is not read for every request").isEqualTo("Bearer one");
    time.advance(FRESH);
    isKnown();
    assertThat(shown()).isEqualTo("Bearer two");
  }

  @Test
  void aTokenThatIsRevokedIsReadAgainAtOnce() throws Exception {
    write("token", "one");
    connect("tokenFile: token");
    server.knowsToken("one");
    isKnown();
    server.knowsToken("two");
    write("token", "two");
    time.advance(A_MOMENT);
    isKnown();
    assertThat(server.asked()).as("one refusal, one more try").hasSize(3);
  }

  @Test
  void aTokenThatNobodyRenewsIsTriedOnce() throws Exception {
    write("token", "one");
    connect("tokenFile: token");
    server.knows(who -> false);
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    time.advance(A_MOMENT);
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    assertThat(server.asked()).hasSize(2);
    assertThat(unknown()).contains("401");
  }

  @Test
  void aFileThatIsAwayForAMomentChangesNothing() throws Exception {
    Path token = write("token", "one");
    connect("tokenFile: token");
    isKnown();
    Files.delete(token);
    time.advance(FRESH);
    isKnown();
    assertThat(shown()).isEqualTo("Bearer one");
  }

  @Test
  void aFileThatNeverWasIsNamed() throws Exception {
    connect("tokenFile: token");
    assertThat(unknown()).contains(folder.resolve("token").toString(), "does not exist");
    assertThat(server.asked()).isEmpty();
    write("token", "one");
    isKnown();
  }

  @Test
  void aTokenStandsInTheFileItself() throws Exception {
    connect("token: \"s3cret\"");
    isKnown();
    assertThat(shown()).isEqualTo("Bearer s3cret");
  }

  @Test
  void aNameAndAPassword() throws Exception {
    connect("username: u, password: \"p:w\u00e4\"");
    isKnown();
    assertThat(shown())
        .isEqualTo(
            "Basic "
                + Base64.getEncoder()
                    .encodeToString("u:p:w\u00e4".getBytes(StandardCharsets.UTF_8)));
  }

  private void writePair(String name, Duration life) throws Exception {
    Credential pair = authority.client(name, List.of("g"), life);
    write("client.crt", pair.certificate());
    write("client.key", pair.key());
  }

  @Test
  void aCertificateIsReadAgain() throws Exception {
    writePair("one", LIFE);
    connect("client-certificate: client.crt, client-key: client.key");
    isKnown();
    assertThat(server.last().certificate()).contains("CN=one");
    writePair("two", LIFE);
    isKnown();
    assertThat(server.last().certificate()).contains("CN=one");
    time.advance(FRESH);
    isKnown();
    assertThat(server.last().certificate()).contains("CN=two");
  }

  @Test
  void aCertificateThatIsRefusedIsReadAgainAtOnce() throws Exception {
    writePair("one", LIFE);
    connect("client-certificate: client.crt, client-key: client.key");
    isKnown();
    server.knows(who -> who.certificate().contains("CN=two"));
    writePair("two", LIFE);
    time.advance(A_MOMENT);
    isKnown();
  }

  @Test
  void aCertificateThatIsHalfWrittenLeavesTheOneBefore() throws Exception {
    writePair("one", LIFE);
    connect("client-certificate: client.crt, client-key: client.key");
    isKnown();
    write("client.key", "-----BEGIN PRIVATE KEY-----\nAAAA\n");
    time.advance(FRESH);
    isKnown();
    assertThat(server.last().certificate()).contains("CN=one");
  }

  @Test
  void anAuthorityIsReadAgain() throws Exception {
    connect("token: t");
    isKnown();
    int port = server.port();
    server.close();
    Authority next = new Authority();
    server = new TlsServer(next, port);
    write("ca.crt", next.pem());
    time.advance(A_MOMENT);
    isKnown();
  }

  @Test
  void aServerThatIsNotTrustedIsNotTold() throws Exception {
    write("ca.crt", new Authority().pem());
    connect("token: s3cret");
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    assertThat(server.asked()).isEmpty();
    assertThat(connection.probe())
        .contains("TLS", "certificate-authority")
        .doesNotContain("s3cret");
  }

  @Test
  void aServerIsTrustedUncheckedIfThatIsWished() throws Exception {
    connect("insecure-skip-tls-verify: true", "token: t");
    isKnown();
  }

  @Test
  void aServerHasAnotherName() throws Exception {
    connect("certificate-authority: ca.crt, tls-server-name: localhost", "token: t");
    isKnown();
    connection.close();
    connect("certificate-authority: ca.crt, tls-server-name: elsewhere", "token: t");
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
  }

  @Test
  void somebodyElseIsImpersonated() throws Exception {
    connect(
        "token: t, as: jane, as-uid: \"42\", as-groups: [a, b],"
            + " as-user-extra: {Scopes: [x, y], \"a/b\": [z]}");
    isKnown();
    TlsServer.Asked asked = server.last();
    assertThat(asked.header("Impersonate-User")).isEqualTo("jane");
    assertThat(asked.header("Impersonate-Uid")).isEqualTo("42");
    assertThat(asked.header("Impersonate-Group")).isEqualTo("a,b");
    assertThat(asked.header("Impersonate-Extra-Scopes")).isEqualTo("x,y");
    assertThat(asked.header("Impersonate-Extra-a%2Fb")).isEqualTo("z");
  }

  /** What a plugin prints; it counts how often it is run and keeps what it is asked. */
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

  /** A renewal of the lead hung for as long as the plugin, which has a minute. */
  @Test
  void whoHasNoTimeDoesNotWaitForAPlugin() throws Exception {
    answer(V1, "\"token\": \"one\"");
    write("slow", "");
    connect(plugin(V1));
    KubeCluster impatient = KubeCluster.impatient(connection, () -> Duration.ofMillis(200), time);
    assertThat(impatient.read(Kind.NODE, ObjectKey.cluster("n")))
        .asString()
        .contains("still being waited for");
    Files.delete(folder.resolve("slow"));
    isKnown();
    assertThat(Files.readAllLines(folder.resolve("runs"))).as("it ran on").hasSize(1);
  }

  private long runs() throws IOException {
    try (var lines = Files.lines(folder.resolve("runs"))) {
      return lines.count();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"})
  void aPluginIsRunAgainBeforeItsTokenEnds(String version) throws Exception {
    answer(version, until("one", Duration.ofMinutes(15)));
    connect(plugin(version));
    isKnown();
    isKnown();
    assertThat(shown()).isEqualTo("Bearer one");
    assertThat(runs()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("asked")))
        .contains(version, "certificate-authority-data", "https://127.0.0.1:");
    answer(version, until("two", Duration.ofMinutes(30)));
    time.advance(Duration.ofMinutes(14).plusSeconds(30));
    Patience.until(
        "the second is shown",
        () -> {
          isKnown(); // the first goes on being shown while the plugin runs
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
  void aPluginIsRunAgainOnceWhenItsTokenIsRefused() throws Exception {
    answer(V1, "\"token\": \"one\"");
    connect(plugin(V1));
    isKnown();
    server.knowsToken("two");
    answer(V1, "\"token\": \"two\"");
    isKnown();
    assertThat(runs()).isEqualTo(2);
    server.knows(who -> false);
    for (int i = 0; i < 10; i++) {
      assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    }
    assertThat(runs()).as("not for every refusal").isLessThanOrEqualTo(3);
  }

  @Test
  void aPluginThatFailsIsSaidAndTriedAgain() throws Exception {
    answer(V1, until("one", Duration.ofMinutes(15)));
    connect(plugin(V1));
    isKnown();
    write("broken", "");
    time.advance(Duration.ofMinutes(16));
    assertThat(unknown()).contains("plugin.sh", "failed with exit code 3");
    long tried = runs();
    for (int i = 0; i < 20; i++) {
      assertThat(unknown()).contains("failed with exit code 3");
    }
    assertThat(runs()).as("it is left alone for a moment").isEqualTo(tried);
    Files.delete(folder.resolve("broken"));
    answer(V1, until("two", Duration.ofMinutes(30)));
    time.advance(Duration.ofMinutes(1));
    isKnown();
    assertThat(shown()).isEqualTo("Bearer two");
  }

  @Test
  void aPluginsCertificateIsRenewed() throws Exception {
    answer(V1, pair("one", Duration.ofMinutes(15)));
    connect(plugin(V1));
    isKnown();
    assertThat(server.last().certificate()).contains("CN=one");
    answer(V1, pair("two", Duration.ofMinutes(31)));
    time.advance(Duration.ofMinutes(16));
    isKnown();
    assertThat(server.last().certificate()).contains("CN=two");
  }

  private String pair(String name, Duration until) throws Exception {
    Credential pair = authority.client(name, List.of(), LIFE);
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
  void aPluginThatAnswersNonsenseIsSaid(String nonsense) throws Exception {
    write("answer", nonsense);
    connect(plugin(V1));
    assertThat(unknown()).contains("plugin.sh").doesNotContain("s3cret");
    assertThat(connection.probe()).contains("plugin.sh");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void aPluginThatIsNotThereIsSaidWithWhatToDo() throws Exception {
    connect(
        "exec: {apiVersion: %s, command: no-such-plugin, interactiveMode: Never, installHint: \"run get-it\"}"
            .formatted(V1));
    assertThat(unknown()).contains("no-such-plugin", "run get-it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auth-provider: {name: azure}",
        "token: a, username: b",
        "client-certificate: client.crt",
        "as-groups: [a]",
        "exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x, interactiveMode: Never}",
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: x}",
        "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}"
      })
  void whatKubectlRefusesIsRefused(String user) {
    assertThatThrownBy(() -> connect(user))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("user \"test\"");
  }

  @Test
  void whatIsBehindAProxyIsReachedThroughIt() throws Exception {
    try (ConnectProxy proxy = new ConnectProxy()) {
      connect(
          "certificate-authority: ca.crt, proxy-url: \"http://u:p%%40ss@127.0.0.1:%d\""
              .formatted(proxy.port()),
          "token: t");
      isKnown();
      assertThat(proxy.asked())
          .singleElement()
          .satisfies(asked -> {
            assertThat(asked).startsWith("CONNECT 127.0.0.1:" + server.port());
            assertThat(asked)
                .contains(
                    "Proxy-Authorization: Basic "
                        + Base64.getEncoder()
                            .encodeToString("u:p@ss".getBytes(StandardCharsets.UTF_8)));
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://host:1", "http://:s3cret@", "socks5://u:s3cret@host:1"})
  void aProxyThatCannotBeUsedIsRefused(String url) {
    assertThatThrownBy(() -> connect("proxy-url: \"" + url + "\"", "token: t"))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("proxy-url")
        .hasMessageNotContaining("s3cret");
  }
}
