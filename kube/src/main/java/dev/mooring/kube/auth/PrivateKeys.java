package dev.mooring.kube.auth;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads PEM private keys: PKCS#8, and the older formats of RSA (PKCS#1) and of elliptic curves (SEC
 * 1), which are converted to PKCS#8 for the JDK.
 */
public final class PrivateKeys {
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----(.*?)-----END \\1-----",
          Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final byte[] RSA_ALGORITHM = {
    0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
  };
  private static final byte[] EC_ALGORITHM = {
    0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1
  };
  private static final byte[] VERSION = {0x02, 1, 0};
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int PARAMETERS = 0xa0;

  private PrivateKeys() {}

  /**
   * Reads the first private key of a text.
   *
   * @param pem text; anything else in it is ignored
   * @throws GeneralSecurityException if there is no key or it is unusable; the message states the
   *     reason and nothing about the key's content
   */
  public static PrivateKey read(String pem) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(pem);
    if (!block.find()) {
      throw new GeneralSecurityException("the PEM text contains no private key");
    }
    if (block.group(1).startsWith("ENCRYPTED") || block.group(2).contains("ENCRYPTED")) {
      throw new GeneralSecurityException("the private key is encrypted: use an unencrypted key");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(block.group(2));
      return generateKey(
          switch (block.group(1)) {
            case "RSA PRIVATE KEY" -> encodePkcs8(RSA_ALGORITHM, der);
            case "EC PRIVATE KEY" ->
                encodePkcs8(encodeElement(SEQUENCE, EC_ALGORITHM, findCurve(der)), der);
            default -> der;
          });
    } catch (IllegalArgumentException | java.nio.BufferUnderflowException e) {
      throw new GeneralSecurityException("the private key is truncated or malformed");
    }
  }

  private static PrivateKey generateKey(byte[] pkcs8) throws GeneralSecurityException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException otherAlgorithm) {
        // the JDK cannot determine the algorithm before it reads the key
      }
    }
    throw new GeneralSecurityException(
        "the algorithm of the private key is none of " + String.join(", ", ALGORITHMS));
  }

  private static byte[] encodePkcs8(byte[] algorithm, byte[] key) {
    return encodeElement(SEQUENCE, VERSION, algorithm, encodeElement(OCTETS, key));
  }

  private static byte[] findCurve(byte[] sec1) throws GeneralSecurityException {
    ByteBuffer in = ByteBuffer.wrap(sec1);
    in.get();
    readLength(in);
    while (in.hasRemaining()) {
      int tag = in.get() & 0xff;
      byte[] content = new byte[readLength(in)];
      in.get(content);
      if (tag == PARAMETERS) {
        return content;
      }
    }
    throw new GeneralSecurityException("the private key does not name its curve");
  }

  private static int readLength(ByteBuffer in) {
    int firstByte = in.get() & 0xff;
    if (firstByte < 0x80) {
      return firstByte;
    }
    byte[] lengthBytes = new byte[firstByte & 0x7f];
    in.get(lengthBytes);
    int length = new BigInteger(1, lengthBytes).intValue();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("length exceeds the data");
    }
    return length;
  }

  private static byte[] encodeElement(int tag, byte[]... elements) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] element : elements) {
      content.writeBytes(element);
    }
    int length = content.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] bytes = BigInteger.valueOf(length).toByteArray();
      int start = bytes[0] == 0 ? 1 : 0;
      out.write(0x80 | bytes.length - start);
      out.write(bytes, start, bytes.length - start);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }
}
