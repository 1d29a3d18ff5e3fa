package dev.mooring.apiserver.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority for one server. It signs the server's certificate and client
 * certificates. Keys live in memory only. Thread-safe.
 */
public final class CertificateAuthority {
  private static final byte[] ECDSA_SHA256 =
      DerEncoder.sequence(DerEncoder.oid(1, 2, 840, 10045, 4, 3, 2));
  private static final Duration LIFE = Duration.ofDays(3650);

  /**
   * A certificate and its key.
   *
   * @param certificate PEM
   * @param key PKCS#8 in PEM
   */
  public record KeyPairFiles(String certificate, String key) {}

  private final KeyPair keys;
  private final X509Certificate certificate;
  private final byte[] name = name("mooring-ca", List.of());

  public CertificateAuthority() throws GeneralSecurityException {
    this.keys = keys();
    this.certificate =
        sign(
            name,
            keys,
            LIFE,
            extension(new int[] {2, 5, 29, 19}, true, DerEncoder.sequence(DerEncoder.truth())));
  }

  private static KeyPair keys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** Returns the authority's certificate in PEM, for certificate-authority-data in a kubeconfig. */
  public String pem() throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  /**
   * Signs a client certificate. The API server reads the user from its common name and the groups
   * from its organizations.
   *
   * @param life the validity from now on; negative for an expired certificate
   */
  public KeyPairFiles client(String user, List<String> groups, Duration life)
      throws GeneralSecurityException {
    KeyPair pair = keys();
    byte[] usage = DerEncoder.sequence(DerEncoder.oid(1, 3, 6, 1, 5, 5, 7, 3, 2));
    X509Certificate signed =
        sign(name(user, groups), pair, life, extension(new int[] {2, 5, 29, 37}, false, usage));
    return new KeyPairFiles(
        pem("CERTIFICATE", signed.getEncoded()),
        pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
  }

  /**
   * Signs a server certificate.
   *
   * @param names the DNS names and IP addresses of the server
   */
  public KeyPairFiles server(Collection<String> names) throws GeneralSecurityException {
    KeyPair pair = keys();
    List<byte[]> all = new ArrayList<>();
    for (String name : names) {
      all.add(alternative(name));
    }
    X509Certificate signed =
        sign(
            name("mooring", List.of()),
            pair,
            LIFE,
            extension(
                new int[] {2, 5, 29, 17}, false, DerEncoder.sequence(all.toArray(byte[][]::new))));
    return new KeyPairFiles(
        pem("CERTIFICATE", signed.getEncoded()),
        pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
  }

  private static byte[] alternative(String name) {
    try {
      return DerEncoder.tagged(0x87, InetAddress.ofLiteral(name).getAddress());
    } catch (IllegalArgumentException noAddress) {
      return DerEncoder.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /**
   * Returns the context for a server on the loopback interface. It requests client certificates of
   * this authority and does not require them.
   */
  public SSLContext server() throws GeneralSecurityException {
    KeyPair pair = keys();
    byte[] names =
        DerEncoder.sequence(
            DerEncoder.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
            DerEncoder.tagged(0x87, new byte[] {127, 0, 0, 1}),
            DerEncoder.tagged(0x87, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    X509Certificate signed =
        sign(
            name("mooring-apiserver", List.of()),
            pair,
            LIFE,
            extension(new int[] {2, 5, 29, 17}, false, names));
    return context(pair.getPrivate(), signed, certificate);
  }

  /** Returns the context for a server with the given certificate. */
  public static SSLContext context(PrivateKey key, Certificate own, Certificate clients)
      throws GeneralSecurityException {
    try {
      char[] none = new char[0];
      KeyStore mine = KeyStore.getInstance("PKCS12");
      mine.load(null, none);
      mine.setKeyEntry("server", key, none, new Certificate[] {own});
      KeyManagerFactory keyManagers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(mine, none);
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, none);
      trusted.setCertificateEntry("clients", clients);
      TrustManagerFactory trustManagers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trustManagers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), new SecureRandom());
      return context;
    } catch (java.io.IOException unreadable) {
      throw new GeneralSecurityException("an empty key store cannot be made", unreadable);
    }
  }

  private X509Certificate sign(byte[] subject, KeyPair pair, Duration life, byte[] extension)
      throws GeneralSecurityException {
    Instant now = Instant.now();
    Instant from =
        now.minus(Duration.ofHours(1)).compareTo(now.plus(life)) < 0
            ? now.minus(Duration.ofHours(1))
            : now.plus(life).minus(Duration.ofHours(1));
    byte[] body =
        DerEncoder.sequence(
            DerEncoder.tagged(0xa0, DerEncoder.integer(BigInteger.TWO)),
            DerEncoder.integer(new BigInteger(120, new SecureRandom())),
            ECDSA_SHA256,
            name,
            DerEncoder.sequence(DerEncoder.time(from), DerEncoder.time(now.plus(life))),
            subject,
            pair.getPublic().getEncoded(),
            DerEncoder.tagged(0xa3, DerEncoder.sequence(extension)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(body);
    byte[] whole = DerEncoder.sequence(body, ECDSA_SHA256, DerEncoder.bits(signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
  }

  private static byte[] extension(int[] oid, boolean critical, byte[] value) {
    return critical
        ? DerEncoder.sequence(DerEncoder.oid(oid), DerEncoder.truth(), DerEncoder.octets(value))
        : DerEncoder.sequence(DerEncoder.oid(oid), DerEncoder.octets(value));
  }

  private static byte[] name(String common, List<String> organizations) {
    List<byte[]> parts = new ArrayList<>();
    for (String organization : organizations) {
      parts.add(
          DerEncoder.set(
              DerEncoder.sequence(DerEncoder.oid(2, 5, 4, 10), DerEncoder.text(organization))));
    }
    parts.add(
        DerEncoder.set(DerEncoder.sequence(DerEncoder.oid(2, 5, 4, 3), DerEncoder.text(common))));
    return DerEncoder.sequence(parts.toArray(byte[][]::new));
  }

  private static String pem(String what, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der), what);
  }
}
