package dev.mooring.kube.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test keys written by openssl. */
class PrivateKeysTest {
  private static String pem(String file) throws IOException {
    try (var in =
        Objects.requireNonNull(PrivateKeysTest.class.getResourceAsStream("/keys/" + file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ec1.pem, EC",
    "ec384.pem, EC",
    "ec8.pem, EC",
    "rsa1.pem, RSA",
    "rsa8.pem, RSA",
    "ed.pem, EdDSA"
  })
  void read_eachFormat_returnsKey(String file, String algorithm) throws Exception {
    assertThat(PrivateKeys.read(pem(file)).getAlgorithm()).isEqualTo(algorithm);
  }

  @Test
  void read_bothFormatsOfOneKey_areEqual() throws Exception {
    PrivateKey old = PrivateKeys.read(pem("rsa1.pem"));
    assertThat(old).isEqualTo(PrivateKeys.read(pem("rsa8.pem")));
    assertThat(((java.security.interfaces.ECPrivateKey) PrivateKeys.read(pem("ec1.pem"))).getS())
        .isEqualTo(
            ((java.security.interfaces.ECPrivateKey) PrivateKeys.read(pem("ec8.pem"))).getS());
  }

  @Test
  void read_certificateFirst_isIgnored() throws Exception {
    String certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    assertThat(PrivateKeys.read(certificate + pem("ec8.pem"))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"enc1.pem", "enc8.pem"})
  void read_encryptedKey_throws(String file) {
    assertThatThrownBy(() -> PrivateKeys.read(pem(file)))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("is encrypted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ec1.pem", "ec8.pem", "rsa1.pem", "rsa8.pem", "ed.pem"})
  void read_truncatedKey_throwsWithoutKeyContent(String file) throws Exception {
    String pemText = pem(file);
    String last = pemText.substring(pemText.lastIndexOf("-----BEGIN"));
    String body = last.substring(last.indexOf('\n') + 1, last.lastIndexOf('\n', last.length() - 2));
    for (int cut = 4; cut < body.length(); cut++) { // fewer characters may be padding
      String truncated = last.replace(body, body.substring(0, body.length() - cut));
      assertThatThrownBy(() -> PrivateKeys.read(truncated))
          .isInstanceOf(GeneralSecurityException.class)
          .hasMessageNotContaining(body.substring(0, 8));
    }
    assertThatThrownBy(() -> PrivateKeys.read("")).hasMessageContaining("contains no private key");
  }
}
