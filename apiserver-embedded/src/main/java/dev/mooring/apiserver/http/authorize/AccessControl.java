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
  private static final String IMPERSONATE_PREFIX = "Impersonate-";
  private static final String EXTRA_PREFIX = "impersonate-extra-";
  private static final String ACCOUNT_PREFIX = "system:serviceaccount:";

  /**
   * Returns the user of the request, after impersonation.
   *
   * @throws StatusException 401 for unknown credentials, 403 for forbidden impersonation
   */
  public RequestUser identifyUser(RequestExchange exchange) throws StatusException {
    return impersonate(exchange, authenticate(exchange));
  }

  private RequestUser authenticate(RequestExchange exchange) throws StatusException {
    Optional<String> bearer = findBearer(exchange);
    if (bearer.isPresent()) {
      Optional<RequestUser> user = findUser(bearer.get());
      if (user.isPresent()) {
        return user.get();
      }
      if (!authorizer.isOff()) {
        throw StatusException.unauthorized();
      }
    }
    String subject = exchange.getCertificateSubject();
    if (!subject.isEmpty()) {
      return parseSubject(subject);
    }
    return authorizer.isOff() ? RequestUser.ADMIN : RequestUser.ANONYMOUS;
  }

  // Returns the token of the Authorization header, or else of a WebSocket subprotocol.
  private static Optional<String> findBearer(RequestExchange exchange) throws StatusException {
    String header = exchange.getHeader("Authorization");
    if (header.regionMatches(true, 0, "Bearer ", 0, 7) && !header.substring(7).isBlank()) {
      return Optional.of(header.substring(7).strip());
    }
    return WebSocketHandshake.findBearerToken(exchange);
  }

  private Optional<RequestUser> findUser(String token) {
    try {
      return findTokenOwner(token, List.of(ServiceAccountTokens.ISSUER)).map(VerifiedToken::user);
    } catch (RefusedException invalid) {
      return Optional.empty();
    }
  }

  /**
   * Returns the owner of the token and its audiences; empty if the token is unknown.
   *
   * @throws RefusedException if it is an invalid token of a service account
   */
  Optional<VerifiedToken> findTokenOwner(String token, List<String> audiences)
      throws RefusedException {
    if (audiences.contains(ServiceAccountTokens.ISSUER)) {
      Optional<RequestUser> owner = tokens.findUser(token);
      if (owner.isPresent()) {
        return Optional.of(new VerifiedToken(owner.get(), List.of(ServiceAccountTokens.ISSUER)));
      }
    }
    return accountTokens.verify(token, audiences);
  }

  private static RequestUser parseSubject(String subject) throws StatusException {
    try {
      String name = "";
      List<String> groups = new ArrayList<>();
      for (Rdn rdn : new LdapName(subject).getRdns()) {
        if (rdn.getType().equalsIgnoreCase("CN")) {
          name = String.valueOf(rdn.getValue());
        } else if (rdn.getType().equalsIgnoreCase("O")) {
          groups.addFirst(String.valueOf(rdn.getValue()));
        }
      }
      return RequestUser.of(name, "", groups);
    } catch (InvalidNameException e) {
      throw StatusException.unauthorized();
    }
  }

  private RequestUser impersonate(RequestExchange exchange, RequestUser user)
      throws StatusException {
    String name = exchange.getHeader(IMPERSONATE_PREFIX + "User");
    List<String> groups = exchange.getHeaders(IMPERSONATE_PREFIX + "Group");
    String uid = exchange.getHeader(IMPERSONATE_PREFIX + "Uid");
    Map<String, List<String>> extra = new TreeMap<>();
    exchange
        .getHeaderNames()
        .forEach(h -> {
          if (h.toLowerCase(Locale.ROOT).startsWith(EXTRA_PREFIX)) {
            String key =
                QueryParameters.decode(h.substring(EXTRA_PREFIX.length()).toLowerCase(Locale.ROOT));
            extra.put(key, exchange.getHeaders(h));
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
    String[] segments = name.split(":", -1);
    return name.startsWith(ACCOUNT_PREFIX)
        && segments.length == 4
        && ObjectNames.isLabel(segments[2])
        && ObjectNames.isSubdomain(segments[3]);
  }

  private static Attributes makeImpersonation(String group, String resource) {
    return Attributes.of("impersonate", group, resource);
  }

  private RequestUser impersonate(RequestUser user, RequestUser requested) throws StatusException {
    boolean isAccount = isAccount(requested.name());
    if (isAccount) {
      String[] segments = requested.name().split(":", -1);
      requireAllowed(
          user,
          makeImpersonation("", "serviceaccounts").inNamespace(segments[2]).withName(segments[3]));
    } else {
      requireAllowed(user, makeImpersonation("", "users").withName(requested.name()));
    }
    for (String group : requested.groups()) {
      requireAllowed(user, makeImpersonation("", "groups").withName(group));
    }
    String apiGroup = "authentication.k8s.io";
    if (!requested.uid().isEmpty()) {
      requireAllowed(user, makeImpersonation(apiGroup, "uids").withName(requested.uid()));
    }
    for (Map.Entry<String, List<String>> entry : requested.extra().entrySet()) {
      for (String value : entry.getValue()) {
        requireAllowed(
            user,
            makeImpersonation(apiGroup, "userextras")
                .withSubresource(entry.getKey())
                .withName(value));
      }
    }
    return addDefaultGroups(requested, isAccount);
  }

  private static RequestUser addDefaultGroups(RequestUser requested, boolean isAccount) {
    List<String> groups = new ArrayList<>(requested.groups());
    if (isAccount && groups.isEmpty()) {
      groups.addAll(ServiceAccountTokens.getGroups(requested.name().split(":", -1)[2]));
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
  public void requireAllowed(RequestUser user, Attributes attributes) throws StatusException {
    if (!authorizer.decide(user, attributes).isAllowed()) {
      throw makeRefusal(user, attributes);
    }
  }

  private static StatusException makeRefusal(RequestUser user, Attributes attributes) {
    String action = "User \"" + user.name() + "\" cannot " + attributes.verb();
    if (!attributes.isResource()) {
      return StatusException.forbiddenPath(
          "forbidden: " + action + " path \"" + attributes.path() + "\"");
    }
    String scope =
        attributes.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"" + attributes.namespace() + "\"";
    return StatusException.forbiddenResource(
        attributes.group(),
        attributes.resource(),
        attributes.name(),
        "%s resource \"%s\" in API group \"%s\" %s"
            .formatted(action, attributes.qualifiedResource(), attributes.group(), scope));
  }
}
