package dev.mooring.manager.endpoint;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.auth.PrivateKeys;
import dev.mooring.kube.auth.TlsCertificates;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Server certificate: from two files, which are checked for changes on new connections, or
 * self-signed. If the files become invalid, keeps the previous certificate and logs it once.
 * Thread-safe.
 */
public final class ServingKeys {
  private static final System.Logger LOG = System.getLogger(ServingKeys.class.getName());
  private static final long BETWEEN_LOOKS = Duration.ofSeconds(1).toNanos();

  private record Pair(String text, X509Certificate[] chain, PrivateKey key) {
    String algorithm() {
      return key.getAlgorithm();
    }
  }

  private final EndpointConfig config;
  private final ClientCertificates clients;
  private final Map<String, Pair> pairs = new ConcurrentHashMap<>(); // by alias
  private volatile String current = "0";
  private volatile Pair shown;
  private volatile long looked = System.nanoTime();
  private volatile String problem = "";

  public ServingKeys(EndpointConfig config, ClientCertificates clients) throws IOException {
    this.config = config;
    this.clients = clients;
    try {
      shown = config.files().isPresent() ? read(config.files().get()) : selfSigned();
      pairs.put(current, shown);
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException(
          "%s cannot be used (%s): specify a certificate and its key in PEM"
              .formatted(
                  config
                      .files()
                      .map(f ->
                          "--tls-cert-file "
                              + f.certificate()
                              + " with --tls-private-key-file "
                              + f.key())
                      .orElse("the self-signed certificate"),
                  e.getMessage()),
          e);
    }
  }

  private Pair selfSigned() throws IOException, GeneralSecurityException {
    List<String> names = new ArrayList<>(List.of("localhost", "127.0.0.1", "::1"));
    InetAddress address = config.address().getAddress();
    if (!address.isAnyLocalAddress() && !address.isLoopbackAddress()) {
      names.add(address.getHostAddress().replaceFirst("%.*", ""));
    }
    String host = System.getenv("HOSTNAME");
    if (host != null && host.matches("[A-Za-z0-9.-]{1,253}")) {
      names.add(host);
    }
    CertificateAuthority.KeyPairFiles made = new CertificateAuthority().server(names);
    return pair(made.certificate(), made.key());
  }

  private static Pair read(EndpointConfig.KeyFiles files)
      throws IOException, GeneralSecurityException {
    return pair(Files.readString(files.certificate()), Files.readString(files.key()));
  }

  private static Pair pair(String certificate, String key) throws GeneralSecurityException {
    X509Certificate[] chain = TlsCertificates.read(certificate).toArray(X509Certificate[]::new);
    PrivateKey read = PrivateKeys.read(key);
    checkTogether(chain[0], read);
    return new Pair(certificate + key, chain, read);
  }

  // Rejects a mismatch, because the two files are not replaced atomically.
  private static void checkTogether(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    byte[] something = certificate.getEncoded();
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(something);
    byte[] signed = signing.sign();
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(certificate.getPublicKey());
    verifying.update(something);
    if (!verifying.verify(signed)) {
      throw new GeneralSecurityException("the private key does not match the certificate");
    }
  }

  public SSLContext context() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new ReloadingKeyManager()},
          new TrustManager[] {clients.acceptAll()},
          new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime does not support TLS servers: " + e.getMessage(), e);
    }
  }

  String fingerprint() throws IOException {
    try {
      return TlsCertificates.fingerprint(shown.chain()[0]);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot hash the certificate: " + e.getMessage(), e);
    }
  }

  private void look() {
    long now = System.nanoTime();
    if (config.files().isEmpty() || now - looked < BETWEEN_LOOKS) {
      return;
    }
    synchronized (this) {
      looked = now;
      try {
        Pair fresh = read(config.files().get());
        if (!fresh.text().equals(shown.text())) {
          String alias = Integer.toString(Integer.parseInt(current) + 1);
          String before = current;
          pairs.put(alias, fresh);
          shown = fresh;
          current = alias;
          pairs.keySet().removeIf(old -> !old.equals(alias) && !old.equals(before));
          LOG.log(Level.INFO, () -> "reloaded the certificate of the endpoints");
        }
        problem = "";
      } catch (IOException | GeneralSecurityException e) {
        String said = String.valueOf(e.getMessage());
        if (!said.equals(problem)) {
          LOG.log(
              Level.WARNING, () -> "keeping the previous certificate of the endpoints: " + said);
        }
        problem = said;
      }
    }
  }

  private final class ReloadingKeyManager extends X509ExtendedKeyManager {
    private @Nullable String chosen(String keyType) {
      look();
      String alias = current;
      String algorithm = pairs.getOrDefault(alias, shown).algorithm();
      return keyType.equals(algorithm)
              || keyType.startsWith(algorithm + "_")
              || algorithm.equals("RSA") && keyType.equals("RSASSA-PSS")
              || algorithm.equals("EdDSA") && keyType.startsWith("Ed")
          ? alias
          : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return chosen(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return chosen(keyType);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {current};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      Pair pair = pairs.get(alias);
      return pair == null ? null : pair.chain().clone();
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      Pair pair = pairs.get(alias);
      return pair == null ? null : pair.key();
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
