package dev.mooring.manager.endpoint;

import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.auth.PrivateKeys;
import dev.mooring.kube.auth.TlsCertificates;
import dev.mooring.text.FileProblem;
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
  private static final long RELOAD_INTERVAL = Duration.ofSeconds(1).toNanos();

  private record ServingKey(String text, X509Certificate[] chain, PrivateKey key) {
    String algorithm() {
      return key.getAlgorithm();
    }
  }

  private final EndpointConfig config;
  private final ClientCertificates clients;
  private final Map<String, ServingKey> keysByAlias = new ConcurrentHashMap<>(); // by alias
  private volatile String currentAlias = "0";
  private volatile ServingKey currentKey;
  private volatile long lastCheck = System.nanoTime();
  private volatile String problem = "";

  public ServingKeys(EndpointConfig config, ClientCertificates clients) throws IOException {
    this.config = config;
    this.clients = clients;
    try {
      currentKey = config.files().isPresent() ? read(config.files().get()) : createSelfSigned();
      keysByAlias.put(currentAlias, currentKey);
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
                  FileProblem.describe(e)),
          e);
    }
  }

  private ServingKey createSelfSigned() throws IOException, GeneralSecurityException {
    List<String> names = new ArrayList<>(List.of("localhost", "127.0.0.1", "::1"));
    InetAddress address = config.address().getAddress();
    if (!address.isAnyLocalAddress() && !address.isLoopbackAddress()) {
      names.add(address.getHostAddress().replaceFirst("%.*", ""));
    }
    String host = System.getenv("HOSTNAME");
    if (host != null && host.matches("[A-Za-z0-9.-]{1,253}")) {
      names.add(host);
    }
    CertificateAuthority.KeyPairFiles generated = new CertificateAuthority().server(names);
    return parse(generated.certificate(), generated.key());
  }

  private static ServingKey read(EndpointConfig.KeyFiles files)
      throws IOException, GeneralSecurityException {
    return parse(Files.readString(files.certificate()), Files.readString(files.key()));
  }

  private static ServingKey parse(String certificate, String key) throws GeneralSecurityException {
    X509Certificate[] chain = TlsCertificates.read(certificate).toArray(X509Certificate[]::new);
    PrivateKey privateKey = PrivateKeys.read(key);
    checkMatch(chain[0], privateKey);
    return new ServingKey(certificate + key, chain, privateKey);
  }

  // Rejects a mismatch, because the two files are not replaced atomically.
  private static void checkMatch(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    byte[] data = certificate.getEncoded();
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(key);
    signer.update(data);
    byte[] signature = signer.sign();
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(certificate.getPublicKey());
    verifier.update(data);
    if (!verifier.verify(signature)) {
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
      return TlsCertificates.fingerprint(currentKey.chain()[0]);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot hash the certificate: " + e.getMessage(), e);
    }
  }

  private void reloadIfChanged() {
    long now = System.nanoTime();
    if (config.files().isEmpty() || now - lastCheck < RELOAD_INTERVAL) {
      return;
    }
    synchronized (this) {
      lastCheck = now;
      try {
        ServingKey reloaded = read(config.files().get());
        if (!reloaded.text().equals(currentKey.text())) {
          String alias = Integer.toString(Integer.parseInt(currentAlias) + 1);
          String previousAlias = currentAlias;
          keysByAlias.put(alias, reloaded);
          currentKey = reloaded;
          currentAlias = alias;
          keysByAlias.keySet().removeIf(old -> !old.equals(alias) && !old.equals(previousAlias));
          LOG.log(Level.INFO, () -> "reloaded the certificate of the endpoints");
        }
        problem = "";
      } catch (IOException | GeneralSecurityException e) {
        String message = FileProblem.describe(e);
        if (!message.equals(problem)) {
          LOG.log(
              Level.WARNING, () -> "keeping the previous certificate of the endpoints: " + message);
        }
        problem = message;
      }
    }
  }

  private final class ReloadingKeyManager extends X509ExtendedKeyManager {
    private @Nullable String chooseAlias(String keyType) {
      reloadIfChanged();
      String alias = currentAlias;
      String algorithm = keysByAlias.getOrDefault(alias, currentKey).algorithm();
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
      return chooseAlias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return chooseAlias(keyType);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {currentAlias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      ServingKey servingKey = keysByAlias.get(alias);
      return servingKey == null ? null : servingKey.chain().clone();
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      ServingKey servingKey = keysByAlias.get(alias);
      return servingKey == null ? null : servingKey.key();
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
