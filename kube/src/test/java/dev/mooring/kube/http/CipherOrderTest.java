package dev.mooring.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import org.junit.jupiter.api.Test;

class CipherOrderTest {
  @Test
  void makeConnectionSpec_c1Only_startsWithChaCha20() {
    ConnectionSpec spec = CipherOrder.makeConnectionSpec("mixed mode, emulated-client, sharing");
    assertThat(spec.cipherSuites())
        .startsWith(CipherSuite.TLS_CHACHA20_POLY1305_SHA256)
        .containsExactlyInAnyOrderElementsOf(ConnectionSpec.MODERN_TLS.cipherSuites());
    assertThat(spec.tlsVersions()).isEqualTo(ConnectionSpec.MODERN_TLS.tlsVersions());
  }

  @Test
  void makeConnectionSpec_c2Available_keepsDefaultOrder() {
    assertThat(CipherOrder.makeConnectionSpec("mixed mode, sharing").cipherSuites())
        .startsWith(CipherSuite.TLS_AES_128_GCM_SHA256);
  }
}
