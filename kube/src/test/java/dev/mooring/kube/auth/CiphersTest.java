package dev.mooring.kube.auth;

import static org.assertj.core.api.Assertions.assertThat;

import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import org.junit.jupiter.api.Test;

class CiphersTest {
  @Test
  void withoutTheSecondCompilerWhatNeedsItComesLast() {
    ConnectionSpec proposed = Ciphers.proposed("mixed mode, emulated-client, sharing");
    assertThat(proposed.cipherSuites())
        .startsWith(CipherSuite.TLS_CHACHA20_POLY1305_SHA256)
        .containsExactlyInAnyOrderElementsOf(ConnectionSpec.MODERN_TLS.cipherSuites());
    assertThat(proposed.tlsVersions()).isEqualTo(ConnectionSpec.MODERN_TLS.tlsVersions());
  }

  @Test
  void withBothTheUsualOrderStays() {
    assertThat(Ciphers.proposed("mixed mode, sharing").cipherSuites())
        .startsWith(CipherSuite.TLS_AES_128_GCM_SHA256);
  }
}
