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
  private static final Duration LIFE = Duration.ofSeconds(10);
  private static final int MOST_ANSWERS = 1000;
  private static final String BEARER = "bearer ";
  private static final User ANONYMOUS =
      new User("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

  record AccessRequest(
      String verb, String path, String authorization, X509Certificate[] certificates) {}

  sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Unknown() implements Verdict {}

    record Forbidden(String why) implements Verdict {}

    record Undecided(String why) implements Verdict {}
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
    this.users = new AnswerCache<>(time, LIFE, MOST_ANSWERS);
    this.answers = new AnswerCache<>(time, LIFE, MOST_ANSWERS);
  }

  Verdict verdict(AccessRequest asked) {
    try {
      Optional<User> known = certificates.user(asked.certificates);
      if (known.isEmpty() && !asked.authorization.isEmpty()) {
        boolean bearer = asked.authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        String token = bearer ? asked.authorization.substring(BEARER.length()).strip() : "";
        if (key.is(token)) {
          return new Verdict.Allowed();
        }
        known = token.isEmpty() ? known : users.get(sum(token), () -> reviews.user(token));
        if (known.isEmpty()) {
          return new Verdict.Unknown();
        }
      }
      return verdict(known.orElse(ANONYMOUS), asked);
    } catch (IOException e) {
      return new Verdict.Undecided(String.valueOf(e.getMessage()));
    }
  }

  private Verdict verdict(User user, AccessRequest asked) throws IOException {
    boolean allowed =
        user.groups().contains("system:masters")
            || answers.get(
                new Question(user, asked.verb, asked.path),
                () -> reviews.allowed(user, asked.verb, asked.path));
    return allowed
        ? new Verdict.Allowed()
        : new Verdict.Forbidden(
            "User \"%s\" cannot %s path \"%s\"".formatted(user.name(), asked.verb, asked.path));
  }

  // Hashes a token, so that tokens are not kept in memory.
  private static String sum(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java runtime has SHA-256", impossible);
    }
  }
}
