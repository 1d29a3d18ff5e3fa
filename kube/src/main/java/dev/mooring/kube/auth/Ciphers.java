package dev.mooring.kube.auth;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;

/**
 * Which ciphers are proposed, and which of them first. All are as strong; what they cost depends on
 * the JVM. Only its second compiler has machine instructions for AES and for the sums of GCM; with
 * the first alone ChaCha20 takes a third of the time.
 */
final class Ciphers {
  /** What the JVM says of itself when it has no second compiler. */
  private static final String FIRST_COMPILER_ALONE = "emulated-client";

  private static final List<CipherSuite> CHA_CHA_20 =
      List.of(
          CipherSuite.TLS_CHACHA20_POLY1305_SHA256,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
          CipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256);

  private Ciphers() {}

  static ConnectionSpec proposed() {
    return proposed(System.getProperty("java.vm.info", ""));
  }

  /** For one that says this of itself. */
  static ConnectionSpec proposed(String jvm) {
    if (!jvm.contains(FIRST_COMPILER_ALONE)) {
      return ConnectionSpec.MODERN_TLS;
    }
    List<CipherSuite> suites = new ArrayList<>(CHA_CHA_20);
    for (CipherSuite suite : Objects.requireNonNull(ConnectionSpec.MODERN_TLS.cipherSuites())) {
      if (!CHA_CHA_20.contains(suite)) {
        suites.add(suite);
      }
    }
    return new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
        .cipherSuites(suites.toArray(CipherSuite[]::new))
        .build();
  }
}
