package dev.mooring.apiserver.tls;

import io.netty.util.NetUtil;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
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
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority for one server. It signs the server's certificate and client
 * certificates. Keys live in memory only. Thread-safe.
 */
public final class CertificateAuthority {
  private static final byte[] ECDSA_SHA256 =
      DerEncoder.encodeSequence(DerEncoder.encodeOid(1, 2, 840, 10045, 4, 3, 2));
  private static final Duration VALIDITY = Duration.ofDays(3650);

  /**
   * A certificate and its key.
   *
   * @param certificate PEM
   * @param key PKCS#8 in PEM
   */
  public record KeyPairFiles(String certificate, String key) {}

  private final KeyPair keyPair;
  private final X509Certificate certificate;
  private final byte[] issuerName = encodeName("mooring-ca", List.of());

  public CertificateAuthority() throws GeneralSecurityException {
    this.keyPair = generateKeys();
    this.certificate =
        sign(
            issuerName,
            keyPair,
            VALIDITY,
            encodeExtension(
                new int[] {2, 5, 29, 19},
                true,
                DerEncoder.encodeSequence(DerEncoder.encodeTrue())));
  }

  private static KeyPair generateKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** Returns the authority's certificate in PEM, for certificate-authority-data in a kubeconfig. */
  public String pem() throws GeneralSecurityException {
    return formatPem("CERTIFICATE", certificate.getEncoded());
  }

  /**
   * Signs a client certificate. The API server reads the user from its common name and the groups
   * from its organizations.
   *
   * @param validity the validity from now on; negative for an expired certificate
   */
  public KeyPairFiles client(String user, List<String> groups, Duration validity)
      throws GeneralSecurityException {
    KeyPair pair = generateKeys();
    byte[] usage = DerEncoder.encodeSequence(DerEncoder.encodeOid(1, 3, 6, 1, 5, 5, 7, 3, 2));
    X509Certificate signed =
        sign(
            encodeName(user, groups),
            pair,
            validity,
            encodeExtension(new int[] {2, 5, 29, 37}, false, usage));
    return new KeyPairFiles(
        formatPem("CERTIFICATE", signed.getEncoded()),
        formatPem("PRIVATE KEY", pair.getPrivate().getEncoded()));
  }

  /**
   * Signs a server certificate.
   *
   * @param names the DNS names and IP addresses of the server
   */
  public KeyPairFiles server(Collection<String> names) throws GeneralSecurityException {
    KeyPair pair = generateKeys();
    List<byte[]> alternativeNames = new ArrayList<>();
    for (String name : names) {
      alternativeNames.add(encodeAlternativeName(name));
    }
    X509Certificate signed =
        sign(
            encodeName("mooring", List.of()),
            pair,
            VALIDITY,
            encodeExtension(
                new int[] {2, 5, 29, 17},
                false,
                DerEncoder.encodeSequence(alternativeNames.toArray(byte[][]::new))));
    return new KeyPairFiles(
        formatPem("CERTIFICATE", signed.getEncoded()),
        formatPem("PRIVATE KEY", pair.getPrivate().getEncoded()));
  }

  private static byte[] encodeAlternativeName(String name) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(name); // null: not an address
    return address == null
        ? DerEncoder.encodeTagged(0x82, name.getBytes(StandardCharsets.US_ASCII))
        : DerEncoder.encodeTagged(0x87, address);
  }

  /**
   * Returns the context for a server on the loopback interface. It requests client certificates of
   * this authority and does not require them.
   */
  public SSLContext server() throws GeneralSecurityException {
    KeyPair pair = generateKeys();
    byte[] names =
        DerEncoder.encodeSequence(
            DerEncoder.encodeTagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
            DerEncoder.encodeTagged(0x87, new byte[] {127, 0, 0, 1}),
            DerEncoder.encodeTagged(
                0x87, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    X509Certificate signed =
        sign(
            encodeName("mooring-apiserver", List.of()),
            pair,
            VALIDITY,
            encodeExtension(new int[] {2, 5, 29, 17}, false, names));
    return createContext(pair.getPrivate(), signed, certificate);
  }

  /** Returns the context for a server with the given certificate. */
  public static SSLContext createContext(
      PrivateKey key, Certificate serverCertificate, Certificate clientAuthority)
      throws GeneralSecurityException {
    try {
      char[] noPassword = new char[0];
      KeyStore serverStore = KeyStore.getInstance("JKS"); // PKCS12 derives a key from the password
      serverStore.load(null, noPassword);
      serverStore.setKeyEntry("server", key, noPassword, new Certificate[] {serverCertificate});
      KeyManagerFactory keyManagers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keyManagers.init(serverStore, noPassword);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers.getKeyManagers(), trust(clientAuthority), new SecureRandom());
      return context;
    } catch (IOException unreadable) {
      throw new GeneralSecurityException("an empty key store cannot be created", unreadable);
    }
  }

  /** Returns the context for clients without a certificate, which trusts only this authority. */
  public SSLContext client() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    try {
      context.init(null, trust(certificate), new SecureRandom());
    } catch (IOException unreadable) {
      throw new GeneralSecurityException("an empty key store cannot be created", unreadable);
    }
    return context;
  }

  private static TrustManager[] trust(Certificate authority)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, new char[0]);
    store.setCertificateEntry("authority", authority);
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    return managers.getTrustManagers();
  }

  private X509Certificate sign(byte[] subject, KeyPair pair, Duration validity, byte[] extension)
      throws GeneralSecurityException {
    Instant now = Instant.now();
    Instant start =
        now.minus(Duration.ofHours(1)).compareTo(now.plus(validity)) < 0
            ? now.minus(Duration.ofHours(1))
            : now.plus(validity).minus(Duration.ofHours(1));
    byte[] body =
        DerEncoder.encodeSequence(
            DerEncoder.encodeTagged(0xa0, DerEncoder.encodeInteger(BigInteger.TWO)),
            DerEncoder.encodeInteger(new BigInteger(120, new SecureRandom())),
            ECDSA_SHA256,
            issuerName,
            DerEncoder.encodeSequence(
                DerEncoder.encodeTime(start), DerEncoder.encodeTime(now.plus(validity))),
            subject,
            pair.getPublic().getEncoded(),
            DerEncoder.encodeTagged(0xa3, DerEncoder.encodeSequence(extension)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keyPair.getPrivate());
    signature.update(body);
    byte[] certificateBytes =
        DerEncoder.encodeSequence(body, ECDSA_SHA256, DerEncoder.encodeBits(signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificateBytes));
  }

  private static byte[] encodeExtension(int[] oid, boolean isCritical, byte[] value) {
    return isCritical
        ? DerEncoder.encodeSequence(
            DerEncoder.encodeOid(oid), DerEncoder.encodeTrue(), DerEncoder.encodeOctets(value))
        : DerEncoder.encodeSequence(DerEncoder.encodeOid(oid), DerEncoder.encodeOctets(value));
  }

  private static byte[] encodeName(String commonName, List<String> organizations) {
    List<byte[]> names = new ArrayList<>();
    for (String organization : organizations) {
      names.add(
          DerEncoder.encodeSet(
              DerEncoder.encodeSequence(
                  DerEncoder.encodeOid(2, 5, 4, 10), DerEncoder.encodeText(organization))));
    }
    names.add(
        DerEncoder.encodeSet(
            DerEncoder.encodeSequence(
                DerEncoder.encodeOid(2, 5, 4, 3), DerEncoder.encodeText(commonName))));
    return DerEncoder.encodeSequence(names.toArray(byte[][]::new));
  }

  private static String formatPem(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der), label);
  }
}
