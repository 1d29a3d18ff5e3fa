package dev.mooring.it.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.apiserver.tls.CertificateAuthority.KeyPairFiles;
import dev.mooring.cluster.ReadResult;
import dev.mooring.kube.auth.KubeConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests credentials of a kubeconfig and its files over TLS, including rotation while in use. */
class CredentialsTest extends CredentialsFixture {
  private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
  private static final Duration REREAD_INTERVAL = Duration.ofSeconds(51);

  @Test
  void tokenFile_rotated_isReread() throws Exception {
    write("token", "one\n");
    connect("tokenFile: token");
    assertAccepted();
    assertThat(lastAuthorization()).isEqualTo("Bearer one");
    write("token", "two\n");
    assertAccepted();
    assertThat(lastAuthorization())
        .as("file is not read for every request")
        .isEqualTo("Bearer one");
    time.advance(REREAD_INTERVAL);
    assertAccepted();
    assertThat(lastAuthorization()).isEqualTo("Bearer two");
  }

  @Test
  void token_revoked_isRereadImmediately() throws Exception {
    write("token", "one");
    connect("tokenFile: token");
    server.acceptToken("one");
    assertAccepted();
    server.acceptToken("two");
    write("token", "two");
    time.advance(RETRY_DELAY);
    assertAccepted();
    assertThat(server.receivedRequests()).as("one refusal, one retry").hasSize(3);
  }

  @Test
  void token_revokedWithoutSuccessor_isRetriedOnce() throws Exception {
    write("token", "one");
    connect("tokenFile: token");
    server.acceptIf(request -> false);
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    time.advance(RETRY_DELAY);
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    assertThat(server.receivedRequests()).hasSize(2);
    assertThat(readError()).contains("401");
  }

  @Test
  void tokenFile_temporarilyMissing_tokenStaysInUse() throws Exception {
    Path token = write("token", "one");
    connect("tokenFile: token");
    assertAccepted();
    Files.delete(token);
    time.advance(REREAD_INTERVAL);
    assertAccepted();
    assertThat(lastAuthorization()).isEqualTo("Bearer one");
  }

  @Test
  void tokenFile_missing_isNamedInError() throws Exception {
    connect("tokenFile: token");
    assertThat(readError()).contains(folder.resolve("token").toString(), "does not exist");
    assertThat(server.receivedRequests()).isEmpty();
    write("token", "one");
    assertAccepted();
  }

  @Test
  void token_inKubeconfig_isSent() throws Exception {
    connect("token: \"s3cret\"");
    assertAccepted();
    assertThat(lastAuthorization()).isEqualTo("Bearer s3cret");
  }

  @Test
  void basicAuth_nameAndPassword_areSent() throws Exception {
    connect("username: u, password: \"p:w\u00e4\"");
    assertAccepted();
    assertThat(lastAuthorization())
        .isEqualTo(
            "Basic "
                + Base64.getEncoder()
                    .encodeToString("u:p:w\u00e4".getBytes(StandardCharsets.UTF_8)));
  }

  private void writePair(String name, Duration lifetime) throws Exception {
    KeyPairFiles pair = authority.client(name, List.of("g"), lifetime);
    write("client.crt", pair.certificate());
    write("client.key", pair.key());
  }

  @Test
  void clientCertificate_rotated_isReread() throws Exception {
    writePair("one", LIFETIME);
    connect("client-certificate: client.crt, client-key: client.key");
    assertAccepted();
    assertThat(server.lastRequest().certificate()).contains("CN=one");
    writePair("two", LIFETIME);
    assertAccepted();
    assertThat(server.lastRequest().certificate()).contains("CN=one");
    time.advance(REREAD_INTERVAL);
    assertAccepted();
    assertThat(server.lastRequest().certificate()).contains("CN=two");
  }

  @Test
  void clientCertificate_rejected_isRereadImmediately() throws Exception {
    writePair("one", LIFETIME);
    connect("client-certificate: client.crt, client-key: client.key");
    assertAccepted();
    server.acceptIf(request -> request.certificate().contains("CN=two"));
    writePair("two", LIFETIME);
    time.advance(RETRY_DELAY);
    assertAccepted();
  }

  @Test
  void clientCertificate_partiallyWritten_isIgnored() throws Exception {
    writePair("one", LIFETIME);
    connect("client-certificate: client.crt, client-key: client.key");
    assertAccepted();
    write("client.key", "-----BEGIN PRIVATE KEY-----\nAAAA\n");
    time.advance(REREAD_INTERVAL);
    assertAccepted();
    assertThat(server.lastRequest().certificate()).contains("CN=one");
  }

  @Test
  void certificateAuthority_rotated_isReread() throws Exception {
    connect("token: t");
    assertAccepted();
    int port = server.port();
    server.close();
    CertificateAuthority newAuthority = new CertificateAuthority();
    server = new TlsServer(newAuthority, port);
    write("ca.crt", newAuthority.pem());
    time.advance(RETRY_DELAY);
    assertAccepted();
  }

  @Test
  void connect_untrustedServer_sendsNoRequest() throws Exception {
    write("ca.crt", new CertificateAuthority().pem());
    connect("token: s3cret");
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
    assertThat(server.receivedRequests()).isEmpty();
    assertThat(connection.probe())
        .contains("TLS", "certificate-authority")
        .doesNotContain("s3cret");
  }

  @Test
  void insecureSkipTlsVerify_untrustedServer_isAccepted() throws Exception {
    connect("insecure-skip-tls-verify: true", "token: t");
    assertAccepted();
  }

  @Test
  void tlsServerName_differentName_isVerified() throws Exception {
    connect("certificate-authority: ca.crt, tls-server-name: localhost", "token: t");
    assertAccepted();
    connection.close();
    connect("certificate-authority: ca.crt, tls-server-name: elsewhere", "token: t");
    assertThat(read()).isInstanceOf(ReadResult.Failed.class);
  }

  @Test
  void impersonation_allFields_areSentAsHeaders() throws Exception {
    connect(
        "token: t, as: jane, as-uid: \"42\", as-groups: [a, b],"
            + " as-user-extra: {Scopes: [x, y], \"a/b\": [z]}");
    assertAccepted();
    TlsServer.ReceivedRequest request = server.lastRequest();
    assertThat(request.header("Impersonate-User")).isEqualTo("jane");
    assertThat(request.header("Impersonate-Uid")).isEqualTo("42");
    assertThat(request.header("Impersonate-Group")).isEqualTo("a,b");
    assertThat(request.header("Impersonate-Extra-Scopes")).isEqualTo("x,y");
    assertThat(request.header("Impersonate-Extra-a%2Fb")).isEqualTo("z");
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
  void connect_invalidUser_isRejected(String user) {
    assertThatThrownBy(() -> connect(user))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("user \"test\"");
  }

  @Test
  void proxyUrl_withCredentials_isUsed() throws Exception {
    try (ConnectProxy proxy = new ConnectProxy()) {
      connect(
          "certificate-authority: ca.crt, proxy-url: \"http://u:p%%40ss@127.0.0.1:%d\""
              .formatted(proxy.port()),
          "token: t");
      assertAccepted();
      assertThat(proxy.requestHeads())
          .singleElement()
          .satisfies(requestHead -> {
            assertThat(requestHead).startsWith("CONNECT 127.0.0.1:" + server.port());
            assertThat(requestHead)
                .contains(
                    "Proxy-Authorization: Basic "
                        + Base64.getEncoder()
                            .encodeToString("u:p@ss".getBytes(StandardCharsets.UTF_8)));
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://host:1", "http://:s3cret@", "socks5://u:s3cret@host:1"})
  void proxyUrl_unsupported_isRejected(String url) {
    assertThatThrownBy(() -> connect("proxy-url: \"" + url + "\"", "token: t"))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("proxy-url")
        .hasMessageNotContaining("s3cret");
  }
}
