package dev.mooring.apiserver;

import dev.mooring.apiserver.access.Tokens;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.http.route.RequestAudit;
import dev.mooring.apiserver.http.route.Router;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.FileJournal;
import dev.mooring.apiserver.store.Journal;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.tls.Authority;
import dev.mooring.apiserver.wire.WireListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A running server on the loopback interface. Thread-safe. */
public final class ApiServer implements AutoCloseable {
  /** Versions begin here, so that small numbers can be what they are elsewhere: too old. */
  private static final long FIRST_VERSION = 1000;

  /**
   * How to run it.
   *
   * @param port the port, 0 for any that is free
   * @param token the bearer token of its one user; "" lets everybody in
   * @param dataDir where it keeps its objects; null keeps them in memory only
   * @param tls whether it speaks TLS, with a certificate of its own authority
   * @param auditLog where it writes requests down; null writes none down
   * @param streamsLists whether watches may ask for what is there already
   */
  public record Config(
      int port,
      String token,
      @Nullable Path dataDir,
      boolean tls,
      @Nullable Path auditLog,
      boolean streamsLists) {
    /** In memory, any port, no token, no TLS. */
    public static final Config DEFAULTS = new Config(0, "", null);

    /** Without TLS and audit log; it streams lists. */
    public Config(int port, String token, @Nullable Path dataDir) {
      this(port, token, dataDir, false, null, true);
    }

    /** The same with TLS. */
    public Config withTls() {
      return new Config(port, token, dataDir, true, auditLog, streamsLists);
    }

    /** The same with requests written down there. */
    public Config withAuditLog(@Nullable Path file) {
      return new Config(port, token, dataDir, tls, file, streamsLists);
    }

    /** The same without the feature gate WatchList, as many servers before Kubernetes 1.34 are. */
    public Config withoutStreamedLists() {
      return new Config(port, token, dataDir, tls, auditLog, false);
    }
  }

  private final WireListener listener;
  private final ExecutorService threads;
  private final Stores stores;
  private final Handlers handlers;
  private final Optional<FileJournal> journal;
  private final Config config;
  private final Optional<Authority> authority;
  private final Tokens tokens = new Tokens();
  private final RequestAudit audit;

  private ApiServer(
      Config config,
      WireListener listener,
      Stores stores,
      Optional<FileJournal> journal,
      Optional<Authority> authority)
      throws IOException {
    this.config = config;
    this.audit = RequestAudit.to(config.auditLog());
    this.listener = listener;
    this.authority = authority;
    this.stores = stores;
    this.journal = journal;
    this.handlers = new Handlers(stores.types(), stores::make);
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory());
    if (!config.token().isEmpty()) {
      tokens.accept(config.token(), User.ADMIN);
    }
  }

  private void listen() {
    listener.start(
        new Router(handlers, config.token().isEmpty(), tokens, audit, config.streamsLists()),
        threads);
  }

  /**
   * Starts a server.
   *
   * @throws IOException if the port is taken or the data directory cannot be used; the message says
   *     which, and the remedy
   */
  public static ApiServer start(Config config) throws IOException {
    Optional<Authority> authority = config.tls() ? Optional.of(newAuthority()) : Optional.empty();
    WireListener listener;
    try {
      listener =
          listener(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), config.port()), authority);
    } catch (BindException e) {
      throw new IOException(
          "port "
              + config.port()
              + " is in use ("
              + e.getMessage()
              + "): choose another with --port, or 0 for any that is free",
          e);
    }
    try {
      Optional<FileJournal> journal =
          config.dataDir() == null
              ? Optional.empty()
              : Optional.of(new FileJournal(config.dataDir()));
      ApiServer server = new ApiServer(config, listener, stores(journal), journal, authority);
      server.handlers.customs().restore();
      Bootstrap.run(server.handlers, !config.token().isEmpty());
      server.listen();
      return server;
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  private static Authority newAuthority() throws IOException {
    try {
      return new Authority();
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot make a certificate: " + e.getMessage(), e);
    }
  }

  private static WireListener listener(InetSocketAddress address, Optional<Authority> authority)
      throws IOException {
    try {
      return new WireListener(address, authority.isEmpty() ? null : authority.get().server());
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot serve TLS: " + e.getMessage(), e);
    }
  }

  /** The stores, and what more are made of. */
  private record Stores(
      Map<ResourceType, Store> types, AtomicLong clock, Optional<FileJournal> journal) {
    Store make(String resource) {
      Store store = new Store(resource, clock, journal.<Journal>map(j -> j).orElse(Journal.NONE));
      journal.map(j -> j.loaded().objects().get(resource)).ifPresent(store::restore);
      return store;
    }
  }

  private static Stores stores(Optional<FileJournal> journal) {
    long restored = journal.map(j -> j.loaded().version()).orElse(0L);
    AtomicLong clock = new AtomicLong(Math.max(FIRST_VERSION, restored));
    Journal notes = journal.<Journal>map(j -> j).orElse(Journal.NONE);
    Map<ResourceType, Store> stores = new HashMap<>();
    for (ResourceType type : KindCatalogue.ALL) {
      if (type == KindCatalogue.NEW_EVENTS) {
        continue;
      }
      Store store = new Store(type.qualified(), clock, notes);
      journal.map(j -> j.loaded().objects().get(type.qualified())).ifPresent(store::restore);
      stores.put(type, store);
    }
    stores.put(KindCatalogue.NEW_EVENTS, stores.get(KindCatalogue.EVENTS));
    return new Stores(stores, clock, journal);
  }

  /** The port it listens on. */
  public int port() {
    return listener.port();
  }

  /** Its address. */
  public String url() {
    return (config.tls() ? "https" : "http") + "://127.0.0.1:" + port();
  }

  /** The bearer tokens that it takes beside its own; they count only if it has one of its own. */
  public Tokens tokens() {
    return tokens;
  }

  /**
   * The authority that signed its certificate and signs those of clients.
   *
   * @throws IllegalStateException if it does not speak TLS
   */
  public Authority authority() {
    return authority.orElseThrow(() -> new IllegalStateException("the server does not speak TLS"));
  }

  /** A kubeconfig for it. */
  public String kubeconfig() {
    String user = config.token().isEmpty() ? "{}" : "{token: \"" + config.token() + "\"}";
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: mooring
      cluster: {server: "%s"%s}
    users:
    - name: admin
      user: %s
    contexts:
    - name: mooring
      context: {cluster: mooring, user: admin}
    current-context: mooring
    """
        .formatted(url(), trust(), user);
  }

  private String trust() {
    if (authority.isEmpty()) {
      return "";
    }
    try {
      byte[] pem = authority.get().pem().getBytes(StandardCharsets.US_ASCII);
      return ", certificate-authority-data: " + Base64.getEncoder().encodeToString(pem);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the server's own certificate cannot be read", e);
    }
  }

  /** The handlers, for what acts inside the process. */
  public Handlers handlers() {
    return handlers;
  }

  /** Ends every watch and stops listening. */
  @Override
  public void close() throws IOException {
    stores.types().values().forEach(Store::close);
    handlers.customs().stores().forEach(Store::close);
    listener.close();
    threads.shutdownNow();
    audit.close();
    if (journal.isPresent()) {
      journal.get().close();
    }
  }
}
