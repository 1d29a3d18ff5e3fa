package dev.mooring.apiserver.http.authorize;

import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer;
import dev.mooring.apiserver.access.BearerTokens;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.access.ServiceAccountTokens;
import dev.mooring.apiserver.access.ServiceAccountTokens.RefusedException;
import dev.mooring.apiserver.access.ServiceAccountTokens.VerifiedToken;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.WebSocketHandshake;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

public record AccessControl(
    BearerTokens tokens, ServiceAccountTokens accountTokens, Authorizer authorizer) {
  private static final String IMPERSONATE = "Impersonate-";
  private static final String EXTRA = "impersonate-extra-";
  private static final String ACCOUNT = "system:serviceaccount:";

  /**
   * Returns the user of the request, after impersonation.
   *
   * @throws StatusException 401 for unknown credentials, 403 for forbidden impersonation
   */
  public RequestUser user(RequestExchange exchange) throws StatusException {
    return impersonate(exchange, authenticate(exchange));
  }

  private RequestUser authenticate(RequestExchange exchange) throws StatusException {
    Optional<String> bearer = findBearer(exchange);
    if (bearer.isPresent()) {
      Optional<RequestUser> known = findUser(bearer.get());
      if (known.isPresent()) {
        return known.get();
      }
      if (!authorizer.isOff()) {
        throw StatusException.unauthorized();
      }
    }
    String subject = exchange.certificate();
    if (!subject.isEmpty()) {
      return parseSubject(subject);
    }
    return authorizer.isOff() ? RequestUser.ADMIN : RequestUser.ANONYMOUS;
  }

  // Returns the token of the Authorization header, or else of a WebSocket subprotocol.
  private static Optional<String> findBearer(RequestExchange exchange) throws StatusException {
    String header = exchange.header("Authorization");
    if (header.regionMatches(true, 0, "Bearer ", 0, 7) && !header.substring(7).isBlank()) {
      return Optional.of(header.substring(7).strip());
    }
    return WebSocketHandshake.bearer(exchange);
  }

  private Optional<RequestUser> findUser(String token) {
    try {
      return find(token, List.of(ServiceAccountTokens.ISSUER)).map(VerifiedToken::user);
    } catch (RefusedException invalid) {
      return Optional.empty();
    }
  }

  /**
   * Returns the owner of the token and its audiences; empty if the token is unknown.
   *
   * @throws RefusedException if it is an invalid token of a service account
   */
  Optional<VerifiedToken> find(String token, List<String> audiences) throws RefusedException {
    if (audiences.contains(ServiceAccountTokens.ISSUER)) {
      Optional<RequestUser> known = tokens.find(token);
      if (known.isPresent()) {
        return Optional.of(new VerifiedToken(known.get(), List.of(ServiceAccountTokens.ISSUER)));
      }
    }
    return accountTokens.verify(token, audiences);
  }

  private static RequestUser parseSubject(String subject) throws StatusException {
    try {
      String name = "";
      List<String> groups = new ArrayList<>();
      for (Rdn part : new LdapName(subject).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          name = String.valueOf(part.getValue());
        } else if (part.getType().equalsIgnoreCase("O")) {
          groups.addFirst(String.valueOf(part.getValue()));
        }
      }
      return RequestUser.of(name, "", groups);
    } catch (InvalidNameException e) {
      throw StatusException.unauthorized();
    }
  }

  private RequestUser impersonate(RequestExchange exchange, RequestUser user)
      throws StatusException {
    String name = exchange.header(IMPERSONATE + "User");
    List<String> groups = exchange.headers(IMPERSONATE + "Group");
    String uid = exchange.header(IMPERSONATE + "Uid");
    Map<String, List<String>> extra = new TreeMap<>();
    exchange
        .headerNames()
        .forEach(h -> {
          if (h.toLowerCase(Locale.ROOT).startsWith(EXTRA)) {
            String key =
                QueryParameters.decode(h.substring(EXTRA.length()).toLowerCase(Locale.ROOT));
            extra.put(key, exchange.headers(h));
          }
        });
    if (name.isEmpty()) {
      if (!groups.isEmpty() || !uid.isEmpty() || !extra.isEmpty()) {
        throw StatusException.badRequest(
            "requested groups, uid or extra without impersonating a user name");
      }
      return user;
    }
    return impersonate(user, new RequestUser(name, uid, groups, extra));
  }

  private static boolean isAccount(String name) {
    String[] parts = name.split(":", -1);
    return name.startsWith(ACCOUNT)
        && parts.length == 4
        && ObjectNames.isLabel(parts[2])
        && ObjectNames.isSubdomain(parts[3]);
  }

  private static Attributes impersonation(String group, String resource) {
    return Attributes.of("impersonate", group, resource);
  }

  private RequestUser impersonate(RequestUser user, RequestUser requested) throws StatusException {
    boolean account = isAccount(requested.name());
    if (account) {
      String[] parts = requested.name().split(":", -1);
      require(user, impersonation("", "serviceaccounts").inNamespace(parts[2]).withName(parts[3]));
    } else {
      require(user, impersonation("", "users").withName(requested.name()));
    }
    for (String group : requested.groups()) {
      require(user, impersonation("", "groups").withName(group));
    }
    String apiGroup = "authentication.k8s.io";
    if (!requested.uid().isEmpty()) {
      require(user, impersonation(apiGroup, "uids").withName(requested.uid()));
    }
    for (Map.Entry<String, List<String>> entry : requested.extra().entrySet()) {
      for (String value : entry.getValue()) {
        require(
            user,
            impersonation(apiGroup, "userextras").ofSubresource(entry.getKey()).withName(value));
      }
    }
    List<String> groups = new ArrayList<>(requested.groups());
    if (account && groups.isEmpty()) {
      groups.addAll(ServiceAccountTokens.groups(requested.name().split(":", -1)[2]));
    }
    if (groups.contains("system:unauthenticated")) {
      return new RequestUser(requested.name(), requested.uid(), groups, requested.extra());
    }
    if (requested.name().equals(RequestUser.ANONYMOUS.name())) {
      groups.addAll(RequestUser.ANONYMOUS.groups());
      return new RequestUser(requested.name(), requested.uid(), groups, requested.extra());
    }
    RequestUser withDefaults = RequestUser.of(requested.name(), requested.uid(), groups);
    return new RequestUser(
        withDefaults.name(), withDefaults.uid(), withDefaults.groups(), requested.extra());
  }

  /** Throws 403 unless the user may send the request. */
  public void require(RequestUser user, Attributes requested) throws StatusException {
    if (!authorizer.decide(user, requested).allowed()) {
      throw refusal(user, requested);
    }
  }

  private static StatusException refusal(RequestUser user, Attributes requested) {
    String action = "User \"" + user.name() + "\" cannot " + requested.verb();
    if (!requested.isResource()) {
      return StatusException.forbiddenPath(
          "forbidden: " + action + " path \"" + requested.path() + "\"");
    }
    String where =
        requested.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"" + requested.namespace() + "\"";
    return StatusException.denied(
        requested.group(),
        requested.resource(),
        requested.name(),
        "%s resource \"%s\" in API group \"%s\" %s"
            .formatted(action, requested.qualifiedResource(), requested.group(), where));
  }
}
