package dev.mooring.plugin.csi;

import dev.mooring.spi.csi.CsiConnector.Tls;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.CertificateUtils;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Certificates of a connection; reloads changed files. Unusable files leave the old certificates in
 * use, because their renewal may be in progress.
 */
final class TlsFiles {
  private static final System.Logger LOG = System.getLogger(TlsFiles.class.getName());
  private static final long PERIOD_SECONDS = 5;

  private final String endpoint;
  private final Tls tls;
  private final AdvancedTlsX509KeyManager keyManager = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trustManager;
  private List<String> stamps = List.of();
  private String lastError = "";
  private @Nullable ScheduledFuture<?> reloadTask;

  private TlsFiles(String endpoint, Tls tls) throws GeneralSecurityException {
    this.endpoint = endpoint;
    this.tls = tls;
    this.trustManager = AdvancedTlsX509TrustManager.newBuilder().build();
  }

  static TlsFiles read(String endpoint, Tls tls) {
    try {
      TlsFiles credentials = new TlsFiles(endpoint, tls);
      credentials.stamps = credentials.readStamps();
      credentials.load();
      return credentials;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "CSI endpoint \"" + endpoint + "\": its certificates cannot be used: " + describe(e), e);
    }
  }

  // Creates the credentials of a channel; close ends the reloading.
  ChannelCredentials createCredentials(ScheduledExecutorService timers) {
    reloadTask =
        timers.scheduleWithFixedDelay(
            this::reload, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    return TlsChannelCredentials.newBuilder()
        .keyManager(keyManager)
        .trustManager(trustManager)
        .build();
  }

  void close() {
    if (reloadTask != null) {
      reloadTask.cancel(false);
    }
  }

  private List<String> readStamps() throws IOException {
    return List.of(readStamp(tls.authority()), readStamp(tls.certificate()), readStamp(tls.key()));
  }

  // A mounted Secret is replaced as a whole, behind symbolic links.
  private static String readStamp(Path file) throws IOException {
    return file.toRealPath() + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
  }

  private void reload() {
    try {
      List<String> newStamps = readStamps();
      if (!newStamps.equals(stamps)) {
        load();
        stamps = newStamps;
        lastError = "";
        LOG.log(Level.INFO, () -> "CSI endpoint " + endpoint + ": reloaded its certificates");
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String reason = describe(e);
      if (!reason.equals(lastError)) {
        lastError = reason;
        LOG.log(
            Level.WARNING,
            () ->
                "CSI endpoint %s: its certificates have changed and cannot be used, so the previous ones stay in use: %s"
                    .formatted(endpoint, reason));
      }
    }
  }

  // Replaces all certificates or none.
  private void load() throws IOException, GeneralSecurityException {
    X509Certificate[] authorities = readCertificates(tls.authority());
    X509Certificate[] chain = readCertificates(tls.certificate());
    PrivateKey key = readKey(tls.key());
    trustManager.updateTrustCredentials(authorities);
    keyManager.updateIdentityCredentials(chain, key);
  }

  private static X509Certificate[] readCertificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] certificates = CertificateUtils.getX509Certificates(in);
      if (certificates.length == 0) {
        throw new GeneralSecurityException("there is no certificate in " + file);
      }
      return certificates;
    }
  }

  private static PrivateKey readKey(Path file) throws IOException, GeneralSecurityException {
    if (!Files.readString(file).contains("-----BEGIN PRIVATE KEY-----")) {
      throw new GeneralSecurityException(
          "there is no PKCS#8 private key in "
              + file
              + ": convert it with openssl pkcs8 -topk8 -nocrypt");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateUtils.getPrivateKey(in);
    }
  }

  // The message of a missing file is only its name, so the exception's type is needed.
  private static String describe(Exception e) {
    return e instanceof GeneralSecurityException ? String.valueOf(e.getMessage()) : e.toString();
  }
}
