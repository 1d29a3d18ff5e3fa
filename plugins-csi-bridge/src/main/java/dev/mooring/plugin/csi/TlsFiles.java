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
  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trust;
  private List<String> stamps = List.of();
  private String lastError = "";
  private @Nullable ScheduledFuture<?> reloading;

  private TlsFiles(String endpoint, Tls tls) throws GeneralSecurityException {
    this.endpoint = endpoint;
    this.tls = tls;
    this.trust = AdvancedTlsX509TrustManager.newBuilder().build();
  }

  static TlsFiles read(String endpoint, Tls tls) {
    try {
      TlsFiles credentials = new TlsFiles(endpoint, tls);
      credentials.stamps = credentials.currentStamps();
      credentials.load();
      return credentials;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "CSI endpoint \"" + endpoint + "\": its certificates cannot be used: " + reason(e), e);
    }
  }

  // Creates the credentials of a channel; close ends the reloading.
  ChannelCredentials channel(ScheduledExecutorService timers) {
    reloading =
        timers.scheduleWithFixedDelay(
            this::reload, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    return TlsChannelCredentials.newBuilder().keyManager(keys).trustManager(trust).build();
  }

  void close() {
    if (reloading != null) {
      reloading.cancel(false);
    }
  }

  private List<String> currentStamps() throws IOException {
    return List.of(stamp(tls.authority()), stamp(tls.certificate()), stamp(tls.key()));
  }

  // A mounted Secret is replaced as a whole, behind symbolic links.
  private static String stamp(Path file) throws IOException {
    return file.toRealPath() + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
  }

  private void reload() {
    try {
      List<String> now = currentStamps();
      if (!now.equals(stamps)) {
        load();
        stamps = now;
        lastError = "";
        LOG.log(Level.INFO, () -> "CSI endpoint " + endpoint + ": reloaded its certificates");
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String why = reason(e);
      if (!why.equals(lastError)) {
        lastError = why;
        LOG.log(
            Level.WARNING,
            () ->
                "CSI endpoint %s: its certificates have changed and cannot be used, so the previous ones stay in use: %s"
                    .formatted(endpoint, why));
      }
    }
  }

  // Replaces all certificates or none.
  private void load() throws IOException, GeneralSecurityException {
    X509Certificate[] authorities = certificates(tls.authority());
    X509Certificate[] chain = certificates(tls.certificate());
    PrivateKey key = key(tls.key());
    trust.updateTrustCredentials(authorities);
    keys.updateIdentityCredentials(chain, key);
  }

  private static X509Certificate[] certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] all = CertificateUtils.getX509Certificates(in);
      if (all.length == 0) {
        throw new GeneralSecurityException("there is no certificate in " + file);
      }
      return all;
    }
  }

  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
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
  private static String reason(Exception e) {
    return e instanceof GeneralSecurityException ? String.valueOf(e.getMessage()) : e.toString();
  }
}
