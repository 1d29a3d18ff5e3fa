package dev.mooring.manager.endpoint;

import dev.mooring.kube.SubjectReviews;
import dev.mooring.kube.SubjectReviews.User;
import dev.mooring.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates clients by certificate or token and authorizes paths with the API server, as
 * kube-controller-manager does. Caches answers, positive and negative, for ten seconds.
 * Thread-safe.
 */
public final class EndpointAuthorizer {
  private static final Duration ANSWER_LIFETIME = Duration.ofSeconds(10);
  private static final int MAX_ANSWERS = 1000;
  private static final String BEARER = "bearer ";
  private static final User ANONYMOUS =
      new User("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

  record AccessRequest(
      String verb, String path, String authorization, X509Certificate[] certificates) {}

  sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Unauthenticated() implements Verdict {}

    record Forbidden(String message) implements Verdict {}

    record Undecided(String message) implements Verdict {}
  }

  private record Question(User user, String verb, String path) {}

  private final SubjectReviews reviews;
  private final ClientCertificates certificates;
  private final LocalKey key;
  private final AnswerCache<String, Optional<User>> users;
  private final AnswerCache<Question, Boolean> answers;

  public EndpointAuthorizer(
      SubjectReviews reviews, ClientCertificates certificates, LocalKey key, Time time) {
    this.reviews = reviews;
    this.certificates = certificates;
    this.key = key;
    this.users = new AnswerCache<>(time, ANSWER_LIFETIME, MAX_ANSWERS);
    this.answers = new AnswerCache<>(time, ANSWER_LIFETIME, MAX_ANSWERS);
  }

  Verdict authorize(AccessRequest request) {
    try {
      Optional<User> user = certificates.authenticate(request.certificates);
      if (user.isEmpty() && !request.authorization.isEmpty()) {
        boolean isBearer = request.authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        String token = isBearer ? request.authorization.substring(BEARER.length()).strip() : "";
        if (key.matches(token)) {
          return new Verdict.Allowed();
        }
        user = token.isEmpty() ? user : users.get(hash(token), () -> reviews.authenticate(token));
        if (user.isEmpty()) {
          return new Verdict.Unauthenticated();
        }
      }
      return authorizeUser(user.orElse(ANONYMOUS), request);
    } catch (IOException e) {
      return new Verdict.Undecided(String.valueOf(e.getMessage()));
    }
  }

  private Verdict authorizeUser(User user, AccessRequest request) throws IOException {
    boolean isAllowed =
        user.groups().contains("system:masters")
            || answers.get(
                new Question(user, request.verb, request.path),
                () -> reviews.isAllowed(user, request.verb, request.path));
    return isAllowed
        ? new Verdict.Allowed()
        : new Verdict.Forbidden(
            "User \"%s\" cannot %s path \"%s\"".formatted(user.name(), request.verb, request.path));
  }

  // Hashes a token, so that tokens are not kept in memory.
  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
