package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

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
import java.util.Collections;
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

  private static final int MAX_SIGNED = 1_000;

  private final BindableStores sources;

  // Claims of the tokens that were used last. To verify a signature takes milliseconds.
  private final Map<String, JsonObject> signedClaims =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, JsonObject> eldest) {
              return size() > MAX_SIGNED;
            }
          });

  private volatile @Nullable KeyPair keys;

  public ServiceAccountTokens(BindableStores sources) {
    this.sources = sources;
  }

  private KeyPair getOrCreateKeys() throws GeneralSecurityException {
    KeyPair keyPair = keys;
    if (keyPair == null) {
      synchronized (this) {
        keyPair = keys;
        if (keyPair == null) {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
          generator.initialize(new ECGenParameterSpec("secp256r1"));
          keyPair = generator.generateKeyPair();
          keys = keyPair;
        }
      }
    }
    return keyPair;
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
    JsonArray audienceList = new JsonArray();
    audiences.forEach(audienceList::add);
    claims.add("aud", audienceList);
    claims.addProperty("exp", expires.getEpochSecond());
    claims.addProperty("iat", now.getEpochSecond());
    claims.addProperty("iss", ISSUER);
    claims.addProperty("jti", UUID.randomUUID().toString());
    JsonObject privateClaims = newObject("namespace", textAt(account, "metadata", "namespace"));
    privateClaims.add("serviceaccount", makeReference(account));
    bound.forEach((kind, object) -> privateClaims.add(kind, makeReference(object)));
    claims.add("kubernetes.io", privateClaims);
    claims.addProperty("nbf", now.getEpochSecond());
    claims.addProperty("sub", formatUserName(account));
    String encodedHeader = encode("{\"alg\":\"ES256\",\"kid\":\"mooring\"}");
    String body = encodedHeader + "." + encode(claims.toString());
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(getOrCreateKeys().getPrivate());
      signature.update(body.getBytes(StandardCharsets.US_ASCII));
      return body + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot sign a token", e);
    }
  }

  private static String encode(String json) {
    return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject makeReference(JsonObject object) {
    JsonObject reference = newObject("name", textAt(object, "metadata", "name"));
    reference.addProperty("uid", textAt(object, "metadata", "uid"));
    return reference;
  }

  private static String formatUserName(JsonObject account) {
    return "system:serviceaccount:%s:%s"
        .formatted(textAt(account, "metadata", "namespace"), textAt(account, "metadata", "name"));
  }

  public static List<String> getGroups(String namespace) {
    return List.of(
        "system:serviceaccounts", "system:serviceaccounts:" + namespace, RequestUser.AUTHENTICATED);
  }

  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message, null, false, false);
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
    try {
      JsonObject claims = signedClaims.get(token);
      if (claims == null) {
        Optional<JsonObject> verifiedClaims = verifySignature(token);
        if (verifiedClaims.isEmpty()) {
          return Optional.empty();
        }
        claims = verifiedClaims.get();
        signedClaims.put(token, claims);
      }
      return verifyClaims(claims, audiences);
    } catch (GeneralSecurityException
        | IllegalArgumentException
        | IllegalStateException
        | JsonSyntaxException forged) {
      return Optional.empty();
    }
  }

  private Optional<JsonObject> verifySignature(String token) throws GeneralSecurityException {
    String[] segments = token.split("\\.");
    if (segments.length != 3) {
      return Optional.empty();
    }
    Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
    signature.initVerify(getOrCreateKeys().getPublic());
    signature.update((segments[0] + "." + segments[1]).getBytes(StandardCharsets.US_ASCII));
    if (!signature.verify(Base64.getUrlDecoder().decode(segments[2]))) {
      return Optional.empty();
    }
    String json = new String(Base64.getUrlDecoder().decode(segments[1]), StandardCharsets.UTF_8);
    return Optional.of(JsonParser.parseString(json).getAsJsonObject());
  }

  private Optional<VerifiedToken> verifyClaims(JsonObject claims, List<String> audiences)
      throws RefusedException {
    List<String> tokenAudiences = stringsAt(claims, "aud");
    List<String> common = new ArrayList<>(audiences);
    common.retainAll(tokenAudiences);
    if (common.isEmpty()) {
      throw new RefusedException(
          "token audiences %s is invalid for the target audiences %s"
              .formatted(quote(tokenAudiences), quote(audiences)));
    }
    JsonObject privateClaims = claims.getAsJsonObject("kubernetes.io");
    String namespace = textAt(privateClaims, "namespace");
    if (claims.get("exp").getAsLong() <= Instant.now().getEpochSecond()) {
      throw new RefusedException("service account token has expired");
    }
    requireAccount(namespace, privateClaims);
    if (!isBoundObjectValid(sources.pods, namespace + "/", privateClaims, "pod")
        || !isBoundObjectValid(sources.secrets, namespace + "/", privateClaims, "secret")
        || privateClaims.has("node")
            && !privateClaims.has("pod")
            && !isBoundObjectValid(sources.nodes, "", privateClaims, "node")) {
      throw new RefusedException("service account token has been invalidated");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    extra.put(PREFIX + "credential-id", List.of("JTI=" + textAt(claims, "jti")));
    for (String kind : List.of("node", "pod")) {
      if (privateClaims.has(kind)) {
        extra.put(PREFIX + kind + "-name", List.of(textAt(privateClaims, kind, "name")));
        extra.put(PREFIX + kind + "-uid", List.of(textAt(privateClaims, kind, "uid")));
      }
    }
    RequestUser user =
        new RequestUser(
            textAt(claims, "sub"),
            textAt(privateClaims, "serviceaccount", "uid"),
            getGroups(namespace),
            extra);
    return Optional.of(new VerifiedToken(user, common));
  }

  private void requireAccount(String namespace, JsonObject privateClaims) throws RefusedException {
    String name = textAt(privateClaims, "serviceaccount", "name");
    StoredObject account = sources.accounts.get(namespace + "/" + name);
    if (account == null) {
      throw new RefusedException("serviceaccounts \"" + name + "\" not found");
    }
    String uid = textAt(account.tree(), "metadata", "uid");
    String claimedUid = textAt(privateClaims, "serviceaccount", "uid");
    if (!uid.equals(claimedUid)) {
      throw new RefusedException(
          "service account UID (" + uid + ") does not match claim (" + claimedUid + ")");
    }
  }

  private static String quote(List<String> values) {
    return values.stream().map(v -> "\"" + v + "\"").collect(Collectors.joining(" ", "[", "]"));
  }

  private static boolean isBoundObjectValid(
      Store store, String prefix, JsonObject privateClaims, String kind) {
    JsonElement reference = valueAt(privateClaims, kind);
    if (reference == null) {
      return true;
    }
    StoredObject object = store.get(prefix + textAt(privateClaims, kind, "name"));
    return object != null
        && textAt(object.tree(), "metadata", "uid").equals(textAt(privateClaims, kind, "uid"));
  }
}
