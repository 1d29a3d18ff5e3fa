package dev.mooring.apiserver.http.route;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mooring.apiserver.access.Attributes;
import dev.mooring.apiserver.access.Authorizer;
import dev.mooring.apiserver.access.BearerTokens;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.access.ServiceAccountTokens;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.http.authorize.AccessControl;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.http.authorize.TokenRequests;
import dev.mooring.apiserver.http.authorize.WriteAccess;
import dev.mooring.apiserver.http.discover.DiscoveryHandler;
import dev.mooring.apiserver.http.patch.PatchHandler;
import dev.mooring.apiserver.http.read.ReadHandler;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestInfo;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.http.request.WebSocketHandshake;
import dev.mooring.apiserver.http.write.DeleteHandler;
import dev.mooring.apiserver.http.write.PodActions;
import dev.mooring.apiserver.http.write.WriteHandler;
import dev.mooring.apiserver.intercept.ReceivedRequest;
import dev.mooring.apiserver.intercept.RequestInterceptor;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Authenticates and authorizes requests, and passes them to their handlers. */
public final class Router implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(Router.class.getName());
  private static final Set<String> HEALTH_PATHS = Set.of("/healthz", "/livez", "/readyz");

  private final AccessControl access;
  private final ReviewHandler reviews;
  private final ReadHandler reads;
  private final WriteHandler writes;
  private final PodActions podActions;
  private final TokenRequests tokenRequests;
  private final ObjectHandlers handlers;
  private final RequestAudit audit;
  private final RequestCounts counts = new RequestCounts();
  private volatile RequestInterceptor interceptor = RequestInterceptor.NONE;

  /**
   * Creates a router.
   *
   * @param isOpen true for full access without authentication
   * @param tokens the static bearer tokens
   * @param audit the audit log
   * @param streamsLists true if watches support sendInitialEvents
   */
  public Router(
      ObjectHandlers handlers,
      boolean isOpen,
      BearerTokens tokens,
      RequestAudit audit,
      boolean streamsLists) {
    this.handlers = handlers;
    this.audit = audit;
    Authorizer authorizer =
        new Authorizer(
            new Authorizer.RbacStores(
                handlers.store(KindCatalogue.ROLES),
                handlers.store(KindCatalogue.ROLE_BINDINGS),
                handlers.store(KindCatalogue.CLUSTER_ROLES),
                handlers.store(KindCatalogue.CLUSTER_ROLE_BINDINGS)),
            isOpen);
    ServiceAccountTokens accountTokens =
        new ServiceAccountTokens(
            new ServiceAccountTokens.BindableStores(
                handlers.store(KindCatalogue.SERVICE_ACCOUNTS),
                handlers.store(KindCatalogue.PODS),
                handlers.store(KindCatalogue.SECRETS),
                handlers.store(KindCatalogue.NODES)));
    this.access = new AccessControl(tokens, accountTokens, authorizer);
    this.reviews = new ReviewHandler(access);
    this.reads = new ReadHandler(handlers, streamsLists);
    this.writes = new WriteHandler(handlers);
    this.podActions = new PodActions(handlers);
    this.tokenRequests = new TokenRequests(handlers, accountTokens);
  }

  public void intercept(RequestInterceptor newInterceptor) {
    interceptor = newInterceptor;
  }

  @Override
  public void handle(HttpExchange http) throws IOException {
    RequestExchange exchange = new RequestExchange(http);
    RequestInfo info = RequestInfo.parse(exchange);
    String verb = info.attributes().verb();
    // before the answer, so that a client that has the answer finds the log line
    exchange.beforeAnswer(code -> {
      audit.logRequest(exchange, verb, "ResponseComplete", code);
      countRequest(info, code);
    });
    try {
      callInterceptor(exchange, info);
      RequestUser user = access.identifyUser(exchange);
      exchange.setUser(user);
      access.requireAllowed(user, info.attributes());
      if (verb.equals("watch")) {
        boolean isUpgrade = WebSocketHandshake.isRequested(exchange);
        audit.logRequest(exchange, verb, "ResponseStarted", isUpgrade ? 101 : 200);
        exchange.beforeAnswer(code -> countRequest(info, code));
      }
      route(exchange, info, user);
    } catch (StatusException refusal) {
      exchange.sendRefusal(refusal);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      LOG.log(
          Level.ERROR, () -> exchange.method() + " " + exchange.path() + " failed with a bug", bug);
      exchange.sendRefusal(StatusException.internalError(bug.toString()));
    } finally {
      exchange.close();
    }
  }

  private void callInterceptor(RequestExchange exchange, RequestInfo info) throws StatusException {
    RequestInterceptor current = interceptor;
    if (current != RequestInterceptor.NONE && info.isResource()) {
      Attributes attributes = info.attributes();
      current.beforeRequest(
          new ReceivedRequest(
              attributes.verb(),
              attributes.group(),
              attributes.qualifiedResource(),
              attributes.namespace(),
              attributes.name(),
              exchange.getHeader("User-Agent")));
    }
  }

  // Skips requests for unknown resources: every new name would add a counter.
  private void countRequest(RequestInfo info, int code) {
    Attributes attributes = info.attributes();
    if (handlers
        .findType(attributes.group(), info.version(), attributes.resource())
        .filter(type ->
            attributes.subresource().isEmpty()
                || type.subresources().contains(attributes.subresource()))
        .isPresent()) {
      counts.increment(attributes, code);
    }
  }

  private void route(RequestExchange exchange, RequestInfo info, RequestUser user)
      throws IOException, StatusException, InterruptedException {
    if (!info.isResource()) {
      servePage(exchange);
      return;
    }
    if (ReviewHandler.GROUPS.contains(info.attributes().group())) {
      reviews.serve(exchange, info, user);
      return;
    }
    if (isOldBinding(info)) {
      podActions.serveBindings(exchange, info.namespace());
      return;
    }
    if (info.attributes().group().equals("metrics.k8s.io")
        && handlers
            .findType("metrics.k8s.io", info.version(), info.attributes().resource())
            .isEmpty()) {
      throw StatusException.noMetrics();
    }
    if (PodActions.needsContainer(info)) {
      throw podActions.refuseContainerAccess(info);
    }
    serve(exchange, user, findTarget(info));
  }

  private static boolean isOldBinding(RequestInfo info) {
    return info.attributes().group().isEmpty()
        && info.attributes().resource().equals("bindings")
        && !info.namespace().isEmpty()
        && info.name().isEmpty();
  }

  private void servePage(RequestExchange exchange) throws IOException, StatusException {
    String path = exchange.path();
    if (path.equals("/version") || path.equals("/version/")) {
      exchange.sendJson(200, NonResourcePages.makeVersion());
    } else if (path.equals("/metrics")) {
      NonResourcePages.serveMetrics(exchange, counts);
    } else if (HEALTH_PATHS.stream().anyMatch(h -> path.equals(h) || path.startsWith(h + "/"))) {
      NonResourcePages.serveHealth(exchange, path);
    } else if (!exchange.method().equals("GET")
        || !new DiscoveryHandler(handlers.getCustomResources().getTypes()).serve(exchange)) {
      throw StatusException.pageNotFound();
    }
  }

  private RequestTarget findTarget(RequestInfo info) throws StatusException {
    String plural = info.attributes().resource();
    Optional<ResourceType> foundType =
        handlers.findType(info.attributes().group(), info.version(), plural);
    if (foundType.isEmpty()) {
      throw KindCatalogue.hasGroup(info.attributes().group())
          ? StatusException.pathNotFound()
          : StatusException.pageNotFound();
    }
    ResourceType type = foundType.get();
    String subresource = info.attributes().subresource();
    boolean isMisplaced =
        !type.namespaced() && !info.namespace().isEmpty()
            || type.namespaced() && info.namespace().isEmpty() && !info.name().isEmpty();
    boolean isUnknown = !subresource.isEmpty() && !type.subresources().contains(subresource);
    if (isUnknown && !isMisplaced && info.extraSegments() == 0 && type.isCustom()) {
      throw StatusException.notFound(type, info.name());
    }
    if (isMisplaced && type.isCustom()) {
      throw StatusException.pageNotFound();
    }
    if (isMisplaced || info.extraSegments() > 0 || isUnknown) {
      throw StatusException.pathNotFound();
    }
    return new RequestTarget(type, info.namespace(), info.name(), subresource, info.isOldWatch());
  }

  private void serve(RequestExchange exchange, RequestUser user, RequestTarget target)
      throws IOException, StatusException, InterruptedException {
    if (target.type().isDeprecated()) {
      exchange.addWarning(target.type().deprecation());
    }
    try {
      dispatch(exchange, user, target);
    } catch (StatusException refusal) {
      boolean isPatch = exchange.method().equals("PATCH");
      int code = refusal.code();
      if (!target.type().isCustom() && (code == 405 || code == 406 || code == 415 && isPatch)) {
        exchange.withdrawWarnings(); // Kubernetes adds no warnings if the route does not exist
      }
      throw refusal;
    }
  }

  private void dispatch(RequestExchange exchange, RequestUser user, RequestTarget target)
      throws IOException, StatusException, InterruptedException {
    if (target.type().traits().isReadOnly() && !exchange.method().equals("GET")) {
      throw StatusException.methodNotAllowed();
    }
    switch (exchange.method()) {
      case "GET" -> {
        if (List.of("binding", "eviction", "token", "finalize").contains(target.subresource())) {
          throw StatusException.methodNotAllowed();
        }
        reads.serve(exchange, target);
      }
      case "POST" -> servePost(exchange, user, target);
      case "PUT" -> {
        requireWritable(target);
        writes.put(exchange, target, new WriteAccess(access, user, target));
      }
      case "PATCH" -> {
        requireWritable(target);
        if (target.subresource().equals("finalize")) {
          throw StatusException.methodNotAllowed();
        }
        new PatchHandler(handlers, exchange, target, new WriteAccess(access, user, target)).serve();
      }
      case "DELETE" -> {
        boolean isAllNamespaces = target.isCollection() && target.namespace().isEmpty();
        if (!target.subresource().isEmpty()) {
          throw makeNotSupported(target, "delete");
        }
        if (isAllNamespaces
            && (target.type().namespaced() || target.type() == KindCatalogue.NAMESPACES)) {
          throw StatusException.methodNotAllowed();
        }
        new DeleteHandler(handlers).serve(exchange, target);
      }
      default -> throw StatusException.methodNotAllowed();
    }
  }

  private static void requireWritable(RequestTarget target) throws StatusException {
    if (target.isCollection()
        || List.of("binding", "eviction", "token").contains(target.subresource())) {
      throw StatusException.methodNotAllowed();
    }
  }

  private static StatusException makeNotSupported(RequestTarget target, String verb) {
    return target.type().isCustom()
        ? StatusException.methodNotSupported(target.type(), verb)
        : StatusException.methodNotAllowed();
  }

  private void servePost(RequestExchange exchange, RequestUser user, RequestTarget target)
      throws IOException, StatusException {
    switch (target.subresource()) {
      case "binding" -> podActions.bind(exchange, target);
      case "eviction" -> podActions.evict(exchange, target);
      case "token" -> tokenRequests.serve(exchange, target.namespace(), target.name());
      default -> {
        boolean lacksNamespace = target.type().namespaced() && target.namespace().isEmpty();
        if (!target.subresource().isEmpty()) {
          throw makeNotSupported(target, "create");
        }
        if (!target.isCollection() || lacksNamespace) {
          throw StatusException.methodNotAllowed();
        }
        writes.create(exchange, target, new WriteAccess(access, user, target));
      }
    }
  }
}
