package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Signs and verifies the tokens of service accounts, which are bound to objects and audiences.
 * Thread-safe.
 */
public final class ServiceAccountTokens {
  /** The issuer, which is also the default audience. */
  public static final String ISSUER = "https://kubernetes.default.svc";

  private static final String PREFIX = "authentication.kubernetes.io/";
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  public record BindableStores(Store accounts, Store pods, Store secrets, Store nodes) {}

  public record VerifiedToken(RequestUser user, List<String> audiences) {}

  private final BindableStores sources;
  private volatile @Nullable KeyPair keys;

  public ServiceAccountTokens(BindableStores sources) {
    this.sources = sources;
  }

  private KeyPair keys() throws GeneralSecurityException {
    KeyPair own = keys;
    if (own == null) {
      synchronized (this) {
        own = keys;
        if (own == null) {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
          generator.initialize(new ECGenParameterSpec("secp256r1"));
          own = generator.generateKeyPair();
          keys = own;
        }
      }
    }
    return own;
  }

  /**
   * Signs a token.
   *
   * @param account the ServiceAccount
   * @param bound the objects whose deletion invalidates the token, by kind in lower case
   */
  public String sign(
      JsonObject account, Map<String, JsonObject> bound, List<String> audiences, Instant expires) {
    Instant now = Instant.now();
    JsonObject claims = new JsonObject();
    JsonArray aud = new JsonArray();
    audiences.forEach(aud::add);
    claims.add("aud", aud);
    claims.addProperty("exp", expires.getEpochSecond());
    claims.addProperty("iat", now.getEpochSecond());
    claims.addProperty("iss", ISSUER);
    claims.addProperty("jti", UUID.randomUUID().toString());
    JsonObject about = objectOf("namespace", text(account, "metadata", "namespace"));
    about.add("serviceaccount", reference(account));
    bound.forEach((kind, object) -> about.add(kind, reference(object)));
    claims.add("kubernetes.io", about);
    claims.addProperty("nbf", now.getEpochSecond());
    claims.addProperty("sub", userName(account));
    String head = encoded("{\"alg\":\"ES256\",\"kid\":\"mooring\"}");
    String body = head + "." + encoded(claims.toString());
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(keys().getPrivate());
      signature.update(body.getBytes(StandardCharsets.US_ASCII));
      return body + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot sign a token", e);
    }
  }

  private static String encoded(String json) {
    return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject reference(JsonObject object) {
    JsonObject reference = objectOf("name", text(object, "metadata", "name"));
    reference.addProperty("uid", text(object, "metadata", "uid"));
    return reference;
  }

  private static String userName(JsonObject account) {
    return "system:serviceaccount:%s:%s"
        .formatted(text(account, "metadata", "namespace"), text(account, "metadata", "name"));
  }

  public static List<String> groups(String namespace) {
    return List.of(
        "system:serviceaccounts", "system:serviceaccounts:" + namespace, RequestUser.AUTHENTICATED);
  }

  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super(why, null, false, false);
    }
  }

  /**
   * Verifies the signature, the time, the bound objects and the audience.
   *
   * @return empty if this server did not issue the token
   * @throws RefusedException if this server issued the token and it is not valid; the message names
   *     the cause
   */
  public Optional<VerifiedToken> verify(String token, List<String> audiences)
      throws RefusedException {
    String[] parts = token.split("\\.");
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initVerify(keys().getPublic());
      signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
      if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) {
        return Optional.empty();
      }
      String json = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      return read(JsonParser.parseString(json).getAsJsonObject(), audiences);
    } catch (GeneralSecurityException
        | IllegalArgumentException
        | IllegalStateException
        | JsonSyntaxException forged) {
      return Optional.empty();
    }
  }

  private Optional<VerifiedToken> read(JsonObject claims, List<String> audiences)
      throws RefusedException {
    List<String> own = strings(claims, "aud");
    List<String> common = new ArrayList<>(audiences);
    common.retainAll(own);
    if (common.isEmpty()) {
      throw new RefusedException(
          "token audiences %s is invalid for the target audiences %s"
              .formatted(quoted(own), quoted(audiences)));
    }
    JsonObject about = claims.getAsJsonObject("kubernetes.io");
    String namespace = text(about, "namespace");
    if (claims.get("exp").getAsLong() <= Instant.now().getEpochSecond()) {
      throw new RefusedException("service account token has expired");
    }
    requireAccount(namespace, about);
    if (!exists(sources.pods, namespace + "/", about, "pod")
        || !exists(sources.secrets, namespace + "/", about, "secret")
        || about.has("node") && !about.has("pod") && !exists(sources.nodes, "", about, "node")) {
      throw new RefusedException("service account token has been invalidated");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    extra.put(PREFIX + "credential-id", List.of("JTI=" + text(claims, "jti")));
    for (String kind : List.of("node", "pod")) {
      if (about.has(kind)) {
        extra.put(PREFIX + kind + "-name", List.of(text(about, kind, "name")));
        extra.put(PREFIX + kind + "-uid", List.of(text(about, kind, "uid")));
      }
    }
    RequestUser user =
        new RequestUser(
            text(claims, "sub"), text(about, "serviceaccount", "uid"), groups(namespace), extra);
    return Optional.of(new VerifiedToken(user, common));
  }

  private void requireAccount(String namespace, JsonObject about) throws RefusedException {
    String name = text(about, "serviceaccount", "name");
    StoredObject found = sources.accounts.get(namespace + "/" + name);
    if (found == null) {
      throw new RefusedException("serviceaccounts \"" + name + "\" not found");
    }
    String uid = text(found.tree(), "metadata", "uid");
    String claimed = text(about, "serviceaccount", "uid");
    if (!uid.equals(claimed)) {
      throw new RefusedException(
          "service account UID (" + uid + ") does not match claim (" + claimed + ")");
    }
  }

  private static String quoted(List<String> values) {
    return values.stream().map(v -> "\"" + v + "\"").collect(Collectors.joining(" ", "[", "]"));
  }

  private static boolean exists(Store store, String prefix, JsonObject about, String kind) {
    JsonElement reference = at(about, kind);
    if (reference == null) {
      return true;
    }
    StoredObject found = store.get(prefix + text(about, kind, "name"));
    return found != null && text(found.tree(), "metadata", "uid").equals(text(about, kind, "uid"));
  }
}
