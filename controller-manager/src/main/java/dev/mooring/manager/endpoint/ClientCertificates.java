package dev.mooring.manager.endpoint;

import dev.mooring.kube.SubjectReviews.User;
import dev.mooring.kube.auth.TlsCertificates;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Authentication by client certificates: the common name is the user, the organizations are the
 * groups, as at the API server. Reloads the CA file on new connections. If the file becomes
 * unreadable, keeps the previous CAs. Thread-safe.
 */
public final class ClientCertificates {
  private static final System.Logger LOG = System.getLogger(ClientCertificates.class.getName());
  private static final long BETWEEN_LOOKS = Duration.ofSeconds(1).toNanos();

  private record TrustedAuthorities(String text, Optional<X509TrustManager> checks) {}

  private final Optional<Path> file;
  private volatile TrustedAuthorities trusted;
  private volatile long looked = System.nanoTime();
  private volatile String problem = "";

  public ClientCertificates(Optional<Path> file) throws IOException {
    this.file = file;
    try {
      this.trusted =
          file.isPresent() ? read(file.get()) : new TrustedAuthorities("", Optional.empty());
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException(
          "--client-ca-file %s cannot be used (%s): specify certificates in PEM"
              .formatted(file.map(Path::toString).orElse(""), e.getMessage()),
          e);
    }
  }

  private static TrustedAuthorities read(Path file) throws IOException, GeneralSecurityException {
    String text = Files.readString(file);
    return new TrustedAuthorities(text, Optional.of(TlsCertificates.signedBy(text)));
  }

  private Optional<X509TrustManager> checks() {
    long now = System.nanoTime();
    if (file.isPresent() && now - looked >= BETWEEN_LOOKS) {
      synchronized (this) {
        looked = now;
        try {
          trusted = read(file.get());
          problem = "";
        } catch (IOException | GeneralSecurityException e) {
          String said = String.valueOf(e.getMessage());
          if (!said.equals(problem)) {
            LOG.log(Level.WARNING, () -> "keeping the previous client CA certificates: " + said);
          }
          problem = said;
        }
      }
    }
    return trusted.checks();
  }

  boolean isEnabled() {
    return file.isPresent();
  }

  /**
   * Authenticates a certificate.
   *
   * @param chain chain that the client presented
   * @return empty if no CA has signed it for client authentication
   */
  Optional<User> user(X509Certificate[] chain) {
    Optional<X509TrustManager> checks = checks();
    if (checks.isEmpty() || chain.length == 0) {
      return Optional.empty();
    }
    try {
      checks.get().checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
      return named(chain[0]);
    } catch (GeneralSecurityException | InvalidNameException notTrusted) {
      return Optional.empty();
    }
  }

  private static Optional<User> named(X509Certificate certificate) throws InvalidNameException {
    String name = "";
    List<String> groups = new ArrayList<>(List.of("system:authenticated"));
    for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
      if (part.getType().equalsIgnoreCase("CN")) {
        name = String.valueOf(part.getValue());
      } else if (part.getType().equalsIgnoreCase("O")) {
        groups.add(String.valueOf(part.getValue()));
      }
    }
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new User(name, "", List.copyOf(groups), Map.of()));
  }

  X509ExtendedTrustManager acceptAll() {
    return TlsCertificates.acceptingAny(
        () -> checks().map(X509TrustManager::getAcceptedIssuers).orElse(new X509Certificate[0]));
  }
}
