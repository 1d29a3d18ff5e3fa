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
 * The certificates of a connection, read again when their files have changed. Files that cannot be
 * used change nothing: whoever renews them may be in the middle of it.
 */
final class TlsFiles {
  private static final System.Logger LOG = System.getLogger(TlsFiles.class.getName());
  private static final long PERIOD_SECONDS = 5;

  private final String endpoint;
  private final Tls tls;
  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager trust;
  private List<String> seen = List.of();
  private String said = "";
  private @Nullable ScheduledFuture<?> reading;

  private TlsFiles(String endpoint, Tls tls) throws GeneralSecurityException {
    this.endpoint = endpoint;
    this.tls = tls;
    this.trust = AdvancedTlsX509TrustManager.newBuilder().build();
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException naming the endpoint and what is wrong
   */
  static TlsFiles read(String endpoint, Tls tls) {
    try {
      TlsFiles credentials = new TlsFiles(endpoint, tls);
      credentials.seen = credentials.stamps();
      credentials.load();
      return credentials;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "CSI endpoint \"" + endpoint + "\": its certificates cannot be used: " + reason(e), e);
    }
  }

  /** For a channel; ends with {@link #close}. */
  ChannelCredentials channel(ScheduledExecutorService timers) {
    reading =
        timers.scheduleWithFixedDelay(
            this::readAgain, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    return TlsChannelCredentials.newBuilder().keyManager(keys).trustManager(trust).build();
  }

  void close() {
    if (reading != null) {
      reading.cancel(false);
    }
  }

  private List<String> stamps() throws IOException {
    return List.of(stamp(tls.authority()), stamp(tls.certificate()), stamp(tls.key()));
  }

  /** Another one for other content; a mounted Secret is replaced as a whole, behind links. */
  private static String stamp(Path file) throws IOException {
    return file.toRealPath() + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
  }

  private void readAgain() {
    try {
      List<String> now = stamps();
      if (!now.equals(seen)) {
        load();
        seen = now;
        said = "";
        LOG.log(Level.INFO, () -> "CSI endpoint " + endpoint + ": its certificates are read anew");
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String why = reason(e);
      if (!why.equals(said)) {
        said = why;
        LOG.log(
            Level.WARNING,
            () ->
                "CSI endpoint "
                    + endpoint
                    + ": its certificates have changed and cannot be used, so the earlier ones still are: "
                    + why);
      }
    }
  }

  /** All or nothing. */
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
          "there is no private key as PKCS#8 in "
              + file
              + ": convert it by openssl pkcs8 -topk8 -nocrypt");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateUtils.getPrivateKey(in);
    }
  }

  /** What is said of a missing file is only its name. */
  private static String reason(Exception e) {
    return e instanceof GeneralSecurityException ? String.valueOf(e.getMessage()) : e.toString();
  }
}
