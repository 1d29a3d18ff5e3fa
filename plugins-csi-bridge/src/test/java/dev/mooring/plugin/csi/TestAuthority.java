package dev.mooring.plugin.csi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Vouches for others for the time of a test, by the keytool of this Java. */
final class TestAuthority {
  private static final String PASSWORD = "only-for-tests";

  private final Path folder;
  private final Path store;

  /** One of its own kind in that folder. */
  TestAuthority(Path folder) throws IOException, InterruptedException {
    this.folder = Files.createTempDirectory(folder, "authority");
    this.store = this.folder.resolve("authority.p12");
    pair(store, "CN=authority-" + folder.hashCode(), "bc:c=ca:true");
  }

  private static void keytool(Path store, String... more) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(more));
    command.addAll(
        List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", store.toString()));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool " + command + ": " + said);
    }
  }

  private static void pair(Path store, String name, String extension)
      throws IOException, InterruptedException {
    keytool(
        store,
        "-genkeypair",
        "-alias",
        "it",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        name,
        "-validity",
        "2",
        "-ext",
        extension);
  }

  /** Its own certificate, in PEM. */
  String certificate() throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", open(store).getCertificate("it").getEncoded());
  }

  /** Certificate and key of somebody that it vouches for, in PEM. */
  record Pair(String certificate, String key) {}

  /** Vouches for somebody at those names. */
  Pair vouch(String name, String names)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path others = folder.resolve(name + ".p12");
    Path request = folder.resolve(name + ".csr");
    Path certificate = folder.resolve(name + ".crt");
    pair(others, "CN=" + name, "san=" + names);
    keytool(others, "-certreq", "-alias", "it", "-file", request.toString());
    keytool(
        store,
        "-gencert",
        "-alias",
        "it",
        "-rfc",
        "-validity",
        "2",
        "-ext",
        "san=" + names,
        "-infile",
        request.toString(),
        "-outfile",
        certificate.toString());
    Key key = open(others).getKey("it", PASSWORD.toCharArray());
    return new Pair(Files.readString(certificate), pem("PRIVATE KEY", key.getEncoded()));
  }

  private static KeyStore open(Path store) throws IOException, GeneralSecurityException {
    try (InputStream file = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(file, PASSWORD.toCharArray());
      return keys;
    }
  }

  private static String pem(String what, byte[] content) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(content)
        + "\n-----END "
        + what
        + "-----\n";
  }
}
