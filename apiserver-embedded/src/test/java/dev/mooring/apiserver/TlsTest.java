package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.tls.CertificateAuthority.KeyPairFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TlsTest {
  private final ApiServer server = start();

  private static ApiServer start() {
    try {
      return ApiServer.start(new ApiServer.ServerOptions(0, "tok", null).withTls());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Client client(@Nullable KeyPairFiles identity, String token) throws Exception {
    KeyStore trustedStore = KeyStore.getInstance("PKCS12");
    trustedStore.load(null, null);
    trustedStore.setCertificateEntry("ca", certificate(server.authority().pem()));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trustedStore);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore identityStore = KeyStore.getInstance("PKCS12");
    identityStore.load(null, null);
    if (identity != null) {
      String key = identity.key().replaceAll("-----.*-----|\\s", "");
      identityStore.setKeyEntry(
          "me",
          KeyFactory.getInstance("EC")
              .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))),
          new char[0],
          new Certificate[] {certificate(identity.certificate())});
    }
    keys.init(identityStore, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new Client(HttpClient.newBuilder().sslContext(context).build(), server.url(), token);
  }

  private static Certificate certificate(String pem) throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void clientCertificate_withoutToken_isAuthorizedByRoles() throws Exception {
    KeyPairFiles jane = server.authority().client("jane", List.of(), Duration.ofHours(1));
    KeyPairFiles root =
        server.authority().client("root", List.of(RequestUser.MASTERS), Duration.ofHours(1));

    assertThat(client(jane, "").get("/api/v1/nodes").code()).isEqualTo(403);
    assertThat(client(root, "").get("/api/v1/nodes").code()).isEqualTo(200);
  }

  @Test
  void clientCertificate_expired_isRefused() throws Exception {
    KeyPairFiles old =
        server.authority().client("jane", List.of(), Duration.ofMinutes(1).negated());

    assertThatThrownBy(() -> client(old, "").get("/version")).isInstanceOf(IOException.class);
  }

  @Test
  void token_revoked_isRefused() throws Exception {
    server.tokens().accept("t1", RequestUser.of("joe", "", List.of(RequestUser.MASTERS)));

    assertThat(client(null, "t1").get("/api/v1/nodes").code()).isEqualTo(200);
    server.tokens().revoke("t1");
    assertThat(client(null, "t1").get("/api/v1/nodes").code()).isEqualTo(401);
    assertThat(client(null, "").get("/api/v1/nodes").code()).isEqualTo(403);
  }

  @Test
  void kubeconfig_serverWithTls_containsAuthority() {
    assertThat(server.kubeconfig())
        .contains("https://127.0.0.1:" + server.port())
        .contains("certificate-authority-data: ");
  }
}
