package dev.mooring.kube.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test certificates written by openssl. */
class CertificatesTest {
  private static String pem(String file) throws IOException {
    try (var in =
        Objects.requireNonNull(CertificatesTest.class.getResourceAsStream("/keys/" + file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void read_twoCertificates_returnsBothInOrder() throws Exception {
    List<X509Certificate> read = TlsCertificates.read(pem("ca2.pem"));
    assertThat(read.stream().map(c -> c.getSubjectX500Principal().getName()))
        .containsExactly("CN=one", "CN=two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
  void read_noValidCertificate_throws(String pem) {
    assertThatThrownBy(() -> TlsCertificates.read(pem))
        .isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> TlsCertificates.signedBy(pem))
        .isInstanceOf(GeneralSecurityException.class);
  }

  @Test
  void signedBy_otherAuthority_isNotTrusted() throws Exception {
    X509Certificate[] secondChain = {TlsCertificates.read(pem("ca2.pem")).get(1)};
    X509TrustManager bothAuthorities = TlsCertificates.signedBy(pem("ca2.pem"));
    assertThatCode(() -> bothAuthorities.checkServerTrusted(secondChain, "ECDHE_ECDSA"))
        .doesNotThrowAnyException();
    X509TrustManager firstAuthority = TlsCertificates.signedBy(pem("ca1.pem"));
    assertThatThrownBy(() -> firstAuthority.checkServerTrusted(secondChain, "ECDHE_ECDSA"))
        .isInstanceOf(CertificateException.class);
    assertThatCode(
            () -> TlsCertificates.acceptingAny().checkServerTrusted(secondChain, "ECDHE_ECDSA"))
        .doesNotThrowAnyException();
  }
}
