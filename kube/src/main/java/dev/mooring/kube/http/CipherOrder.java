package dev.mooring.kube.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;

/**
 * Order of the offered cipher suites. All are equally strong, but their cost depends on the JVM:
 * only the C2 compiler uses CPU instructions for AES-GCM. With C1 alone ChaCha20 takes a third of
 * the time.
 */
final class CipherOrder {
  // Part of java.vm.info if the JVM has only the C1 compiler.
  private static final String C1_ONLY = "emulated-client";

  private static final List<CipherSuite> CHA_CHA_20 =
      List.of(
          CipherSuite.TLS_CHACHA20_POLY1305_SHA256,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
          CipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256);

  private CipherOrder() {}

  static ConnectionSpec makeConnectionSpec() {
    return makeConnectionSpec(System.getProperty("java.vm.info", ""));
  }

  static ConnectionSpec makeConnectionSpec(String jvm) {
    if (!jvm.contains(C1_ONLY)) {
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
