package dev.mooring.apiserver.http.route;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer;
import dev.mooring.apiserver.access.ServiceAccountTokens;
import dev.mooring.apiserver.access.Tokens;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.http.authorize.AccessControl;
import dev.mooring.apiserver.http.authorize.Reviews;
import dev.mooring.apiserver.http.authorize.TokenRequests;
import dev.mooring.apiserver.http.authorize.WriteAccess;
import dev.mooring.apiserver.http.discover.Discovery;
import dev.mooring.apiserver.http.patch.PatchRequest;
import dev.mooring.apiserver.http.read.Reads;
import dev.mooring.apiserver.http.request.Exchange;
import dev.mooring.apiserver.http.request.RequestInfo;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.http.request.WebSocketHandshake;
import dev.mooring.apiserver.http.write.PodActions;
import dev.mooring.apiserver.http.write.Removals;
import dev.mooring.apiserver.http.write.Writes;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** From a request to what serves it, past who asks and whether they may. */
public final class Router implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(Router.class.getName());
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final AccessControl access;
  private final Reviews reviews;
  private final Reads reads;
  private final Writes writes;
  private final PodActions podActions;
  private final TokenRequests tokenRequests;
  private final Handlers handlers;
  private final RequestAudit audit;
  private final RequestCounts counts = new RequestCounts();

  /**
   * Over these handlers.
   *
   * @param isOpen whether everybody may do everything; else roles say who may do what
   * @param tokens the bearer tokens that are taken
   * @param audit where requests are written down
   * @param streamsLists whether watches may ask for what is there already
   */
  public Router(
      Handlers handlers, boolean isOpen, Tokens tokens, RequestAudit audit, boolean streamsLists) {
    this.handlers = handlers;
    this.audit = audit;
    Authorizer authorizer =
        new Authorizer(
            new Authorizer.Sources(
                handlers.store(KindCatalogue.ROLES),
                handlers.store(KindCatalogue.ROLE_BINDINGS),
                handlers.store(KindCatalogue.CLUSTER_ROLES),
                handlers.store(KindCatalogue.CLUSTER_ROLE_BINDINGS)),
            isOpen);
    ServiceAccountTokens accountTokens =
        new ServiceAccountTokens(
            new ServiceAccountTokens.Sources(
                handlers.store(KindCatalogue.SERVICE_ACCOUNTS),
                handlers.store(KindCatalogue.PODS),
                handlers.store(KindCatalogue.SECRETS),
                handlers.store(KindCatalogue.NODES)));
    this.access = new AccessControl(tokens, accountTokens, authorizer);
    this.reviews = new Reviews(access);
    this.reads = new Reads(handlers, streamsLists);
    this.writes = new Writes(handlers);
    this.podActions = new PodActions(handlers);
    this.tokenRequests = new TokenRequests(handlers, accountTokens);
  }

  @Override
  public void handle(HttpExchange http) throws IOException {
    Exchange exchange = new Exchange(http);
    RequestInfo info = RequestInfo.of(exchange);
    String verb = info.attributes().verb();
    // before it is answered: who has the answer finds the line
    exchange.beforeAnswer(code -> {
      audit.note(exchange, verb, "ResponseComplete", code);
      count(info, code);
    });
    try {
      User user = access.user(exchange);
      access.require(user, info.attributes());
      if (verb.equals("watch")) {
        boolean upgrades = WebSocketHandshake.isAskedFor(exchange);
        audit.note(exchange, verb, "ResponseStarted", upgrades ? 101 : 200);
        exchange.beforeAnswer(code -> count(info, code));
      }
      route(exchange, info, user);
    } catch (Problem problem) {
      exchange.refuse(problem);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      LOG.log(
          Level.ERROR, () -> exchange.method() + " " + exchange.path() + " failed with a bug", bug);
      exchange.refuse(Problem.fault(bug.toString()));
    } finally {
      exchange.close();
    }
  }

  /** What nothing is served under would be counted for each word that anybody comes up with. */
  private void count(RequestInfo info, int code) {
    Attributes asked = info.attributes();
    if (handlers
        .find(asked.group(), info.version(), asked.resource())
        .filter(type ->
            asked.subresource().isEmpty() || type.subresources().contains(asked.subresource()))
        .isPresent()) {
      counts.answered(asked, code);
    }
  }

  private void route(Exchange exchange, RequestInfo info, User user)
      throws IOException, Problem, InterruptedException {
    if (!info.isResource()) {
      page(exchange);
      return;
    }
    if (Reviews.GROUPS.contains(info.attributes().group())) {
      reviews.serve(exchange, info, user);
      return;
    }
    if (isOldBinding(info)) {
      podActions.bindings(exchange, info.namespace());
      return;
    }
    serve(exchange, user, target(info));
  }

  private static boolean isOldBinding(RequestInfo info) {
    return info.attributes().group().isEmpty()
        && info.attributes().resource().equals("bindings")
        && !info.namespace().isEmpty()
        && info.name().isEmpty();
  }

  private void page(Exchange exchange) throws IOException, Problem {
    String path = exchange.path();
    if (path.equals("/version") || path.equals("/version/")) {
      exchange.json(200, Pages.version());
    } else if (path.equals("/metrics")) {
      Pages.metrics(exchange, counts);
    } else if (HEALTH.stream().anyMatch(h -> path.equals(h) || path.startsWith(h + "/"))) {
      Pages.health(exchange, path);
    } else if (!exchange.method().equals("GET")
        || !new Discovery(handlers.customs().all()).serve(exchange)) {
      throw Problem.noSuchPage();
    }
  }

  private RequestTarget target(RequestInfo info) throws Problem {
    String plural = info.attributes().resource();
    Optional<ResourceType> found = handlers.find(info.attributes().group(), info.version(), plural);
    if (found.isEmpty()) {
      throw KindCatalogue.knows(info.attributes().group())
          ? Problem.noSuchPath()
          : Problem.noSuchPage();
    }
    ResourceType type = found.get();
    String subresource = info.attributes().subresource();
    boolean misplaced =
        !type.namespaced() && !info.namespace().isEmpty()
            || type.namespaced() && info.namespace().isEmpty() && !info.name().isEmpty();
    boolean unknown = !subresource.isEmpty() && !type.subresources().contains(subresource);
    if (unknown && !misplaced && info.extra() == 0 && type.isCustom()) {
      throw Problem.notFound(type, info.name());
    }
    if (misplaced && type.isCustom()) {
      throw Problem.noSuchPage();
    }
    if (misplaced || info.extra() > 0 || unknown) {
      throw Problem.noSuchPath();
    }
    return new RequestTarget(type, info.namespace(), info.name(), subresource, info.isOldWatch());
  }

  private void serve(Exchange exchange, User user, RequestTarget target)
      throws IOException, Problem, InterruptedException {
    if (target.type().isDeprecated()) {
      exchange.warn(target.type().deprecation());
    }
    try {
      dispatch(exchange, user, target);
    } catch (Problem unserved) {
      boolean isPatch = exchange.method().equals("PATCH");
      int code = unserved.code();
      if (!target.type().isCustom() && (code == 405 || code == 406 || code == 415 && isPatch)) {
        exchange.withdrawWarnings(); // there is no such route: nobody came so far as to warn
      }
      throw unserved;
    }
  }

  private void dispatch(Exchange exchange, User user, RequestTarget target)
      throws IOException, Problem, InterruptedException {
    switch (exchange.method()) {
      case "GET" -> {
        if (List.of("binding", "eviction", "token", "finalize").contains(target.subresource())) {
          throw Problem.methodNotAllowed();
        }
        reads.serve(exchange, target);
      }
      case "POST" -> post(exchange, user, target);
      case "PUT" -> {
        requireWritable(target);
        writes.put(exchange, target, new WriteAccess(access, user, target));
      }
      case "PATCH" -> {
        requireWritable(target);
        if (target.subresource().equals("finalize")) {
          throw Problem.methodNotAllowed();
        }
        new PatchRequest(handlers, exchange, target, new WriteAccess(access, user, target)).serve();
      }
      case "DELETE" -> {
        boolean all = target.isCollection() && target.namespace().isEmpty();
        if (!target.subresource().isEmpty()) {
          throw notSupported(target, "delete");
        }
        if (all && (target.type().namespaced() || target.type() == KindCatalogue.NAMESPACES)) {
          throw Problem.methodNotAllowed();
        }
        new Removals(handlers).serve(exchange, target);
      }
      default -> throw Problem.methodNotAllowed();
    }
  }

  /** 405 for what is made, not changed. */
  private static void requireWritable(RequestTarget target) throws Problem {
    if (target.isCollection()
        || List.of("binding", "eviction", "token").contains(target.subresource())) {
      throw Problem.methodNotAllowed();
    }
  }

  private static Problem notSupported(RequestTarget target, String verb) {
    return target.type().isCustom()
        ? Problem.methodNotSupported(target.type(), verb)
        : Problem.methodNotAllowed();
  }

  private void post(Exchange exchange, User user, RequestTarget target)
      throws IOException, Problem {
    switch (target.subresource()) {
      case "binding" -> podActions.bind(exchange, target);
      case "eviction" -> podActions.evict(exchange, target);
      case "token" -> tokenRequests.serve(exchange, target.namespace(), target.name());
      default -> {
        boolean nowhere = target.type().namespaced() && target.namespace().isEmpty();
        if (!target.subresource().isEmpty()) {
          throw notSupported(target, "create");
        }
        if (!target.isCollection() || nowhere) {
          throw Problem.methodNotAllowed();
        }
        writes.create(exchange, target, new WriteAccess(access, user, target));
      }
    }
  }
}
