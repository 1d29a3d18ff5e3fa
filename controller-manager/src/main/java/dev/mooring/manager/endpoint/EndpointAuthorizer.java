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
 * Who may ask for what: whoever shows a certificate or a token that the API server knows, and whom
 * it lets do that to the path, as at kube-controller-manager. Its answers, yes and no, count for
 * ten seconds. Thread-safe.
 */
public final class EndpointAuthorizer {
  private static final Duration LIFE = Duration.ofSeconds(10);
  private static final String BEARER = "bearer ";
  private static final User ANONYMOUS =
      new User("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

  /**
   * A request, as far as it is about access.
   *
   * @param verb the method, in lower case
   * @param path the path
   * @param authorization the header of that name, {@code ""} for none
   * @param certificates what the client has shown
   */
  record Asked(String verb, String path, String authorization, X509Certificate[] certificates) {}

  /** Whether somebody may. */
  sealed interface Verdict {
    /** He may. */
    record Allowed() implements Verdict {}

    /** Nobody knows him. */
    record Unknown() implements Verdict {}

    /**
     * He may not.
     *
     * @param why in one line
     */
    record Forbidden(String why) implements Verdict {}

    /**
     * Nobody can say now.
     *
     * @param why in one line
     */
    record Undecided(String why) implements Verdict {}
  }

  private record Question(User user, String verb, String path) {}

  private final SubjectReviews reviews;
  private final ClientCertificates certificates;
  private final LocalKey key;
  private final AnswerCache<String, Optional<User>> users;
  private final AnswerCache<Question, Boolean> answers;

  /** Asking those reviews; who has the key on this machine needs no other. */
  public EndpointAuthorizer(
      SubjectReviews reviews, ClientCertificates certificates, LocalKey key, Time time) {
    this.reviews = reviews;
    this.certificates = certificates;
    this.key = key;
    this.users = new AnswerCache<>(time, LIFE);
    this.answers = new AnswerCache<>(time, LIFE);
  }

  /** Whether that may be answered. */
  Verdict verdict(Asked asked) {
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

  private Verdict verdict(User user, Asked asked) throws IOException {
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

  /** Tokens themselves are not kept. */
  private static String sum(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
