package dev.mooring.manager.endpoint;

import dev.mooring.kube.SubjectReviews.User;
import dev.mooring.kube.auth.TlsCertificates;
import dev.mooring.text.FileProblem;
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
  private static final long RELOAD_INTERVAL = Duration.ofSeconds(1).toNanos();

  private record TrustedAuthorities(String text, Optional<X509TrustManager> trustManager) {}

  private final Optional<Path> file;
  private volatile TrustedAuthorities authorities;
  private volatile long lastCheck = System.nanoTime();
  private volatile String problem = "";

  public ClientCertificates(Optional<Path> file) throws IOException {
    this.file = file;
    try {
      this.authorities =
          file.isPresent() ? read(file.get()) : new TrustedAuthorities("", Optional.empty());
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException(
          "--client-ca-file %s cannot be used (%s): specify certificates in PEM"
              .formatted(file.map(Path::toString).orElse(""), FileProblem.describe(e)),
          e);
    }
  }

  private static TrustedAuthorities read(Path file) throws IOException, GeneralSecurityException {
    String text = Files.readString(file);
    return new TrustedAuthorities(text, Optional.of(TlsCertificates.signedBy(text)));
  }

  private Optional<X509TrustManager> currentTrustManager() {
    long now = System.nanoTime();
    if (file.isPresent() && now - lastCheck >= RELOAD_INTERVAL) {
      synchronized (this) {
        lastCheck = now;
        try {
          authorities = read(file.get());
          problem = "";
        } catch (IOException | GeneralSecurityException e) {
          String message = FileProblem.describe(e);
          if (!message.equals(problem)) {
            LOG.log(Level.WARNING, () -> "keeping the previous client CA certificates: " + message);
          }
          problem = message;
        }
      }
    }
    return authorities.trustManager();
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
  Optional<User> authenticate(X509Certificate[] chain) {
    Optional<X509TrustManager> trustManager = currentTrustManager();
    if (trustManager.isEmpty() || chain.length == 0) {
      return Optional.empty();
    }
    try {
      trustManager.get().checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
      return toUser(chain[0]);
    } catch (GeneralSecurityException | InvalidNameException e) {
      return Optional.empty();
    }
  }

  private static Optional<User> toUser(X509Certificate certificate) throws InvalidNameException {
    String name = "";
    List<String> groups = new ArrayList<>(List.of("system:authenticated"));
    for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
      if (rdn.getType().equalsIgnoreCase("CN")) {
        name = String.valueOf(rdn.getValue());
      } else if (rdn.getType().equalsIgnoreCase("O")) {
        groups.add(String.valueOf(rdn.getValue()));
      }
    }
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(new User(name, "", List.copyOf(groups), Map.of()));
  }

  X509ExtendedTrustManager acceptAll() {
    return TlsCertificates.acceptingAny(() ->
        currentTrustManager()
            .map(X509TrustManager::getAcceptedIssuers)
            .orElse(new X509Certificate[0]));
  }
}
