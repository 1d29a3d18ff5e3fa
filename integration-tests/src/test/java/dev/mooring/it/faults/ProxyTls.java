package dev.mooring.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;

/**
 * A certificate for the loopback address, made for the time of a test.
 *
 * @param sockets listen with it
 * @param authority who vouches for it, in PEM
 */
public record ProxyTls(SSLServerSocketFactory sockets, String authority) {
  private static final char[] PASSWORD = "only-for-tests".toCharArray();

  /** Makes one; files go to the folder. */
  public static ProxyTls make(Path folder) throws IOException, InterruptedException {
    Path store = Files.createTempDirectory(folder, "tls").resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "proxy",
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-dname",
                    "CN=mooring-fault-proxy",
                    "-validity",
                    "2",
                    "-ext",
                    "san=ip:127.0.0.1,dns:localhost",
                    "-ext",
                    "bc:c=ca:true",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    new String(PASSWORD),
                    "-keystore",
                    store.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool makes no certificate: " + said);
    }
    try (InputStream file = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(file, PASSWORD);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return new ProxyTls(context.getServerSocketFactory(), pem(keys.getCertificate("proxy")));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String pem(Certificate certificate) throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }
}
