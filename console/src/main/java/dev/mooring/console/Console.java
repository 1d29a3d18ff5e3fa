package dev.mooring.console;

import dev.mooring.console.page.ComparisonPage;
import dev.mooring.console.page.ConsolePage;
import dev.mooring.console.page.ErrorPage;
import dev.mooring.console.page.ListPage;
import dev.mooring.console.page.ListQuery;
import dev.mooring.console.page.ObjectPage;
import dev.mooring.console.page.OverviewPage;
import dev.mooring.console.page.PageLayout;
import dev.mooring.console.page.PluginsPage;
import dev.mooring.console.page.WaitingPage;
import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.console.view.ClusterSnapshot;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.DatedFacts;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.RelatedObjects;
import dev.mooring.console.view.SortedObjects;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.console.view.StorageServer;
import dev.mooring.console.view.WaitingCauses;
import dev.mooring.console.view.WaitingObjects;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Request handler of the console, independent of HTTP: the host supplies the server. Thread-safe.
 */
public final class Console {
  public static final String ROOT = ConsoleSection.ROOT;

  // A browser then reconnects and authenticates again.
  private static final Duration MAX_STREAM = Duration.ofSeconds(25);

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
  private static final Duration MIN_CHANGE_INTERVAL = Duration.ofMillis(250);
  private static final int MAX_EXPLANATIONS = 2;
  private static final String JSON = ".json";
  private static final String HTML = ".html";

  private final FollowedCluster cluster;
  private final Time time;
  private final WaitingObjects waiting;
  private final WaitingCauses causes = new WaitingCauses();
  private final SortedObjects sortedObjects = new SortedObjects();
  private final StaticAssets assets = new StaticAssets();
  private final Semaphore explanationPermits = new Semaphore(MAX_EXPLANATIONS, true);

  @FunctionalInterface
  public interface Stream {
    void send(String text) throws IOException;
  }

  public Console(FollowedCluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.waiting = new WaitingObjects(cluster, time);
  }

  public void start() {
    waiting.start();
  }

  public void stop() throws InterruptedException {
    waiting.stop();
  }

  public ConsoleReply answer(ConsoleRequest request) throws InterruptedException {
    String path = request.path();
    if (path.equals("/") || path.equals("/console")) {
      return new ConsoleReply.Moved(ROOT);
    }
    if (!path.startsWith(ROOT)) {
      return document(notFound("There is no such page."));
    }
    String target = path.substring(ROOT.length());
    if (target.startsWith("assets/")) {
      Optional<ConsoleReply> asset = assets.find(target.substring("assets/".length()));
      return asset.orElseGet(() -> document(notFound("There is no such file.")));
    }
    if (target.equals("events")) {
      return new ConsoleReply.Changes(parseSince(request.query()));
    }
    boolean isJson = target.endsWith(JSON) || !target.endsWith(HTML) && request.prefersJson();
    ConsolePage page = page(removeExtension(target), ListQuery.of(request.query()));
    return isJson ? new ConsoleReply.Data(page.code(), tree(page)) : document(page);
  }

  private Map<String, Object> tree(ConsolePage page) {
    Optional<ApiServerOutage> outage = waiting.snapshot().outage();
    if (outage.isEmpty()) {
      return page.tree();
    }
    Map<String, Object> tree = new LinkedHashMap<>(page.tree());
    tree.put(
        "outage", Map.of("since", outage.get().since().toString(), "why", outage.get().message()));
    return tree;
  }

  private ConsoleReply document(ConsolePage page) {
    return new ConsoleReply.Document(
        page.code(), PageLayout.of(page, waiting.snapshot(), extraPages()));
  }

  private List<PageLayout.Entry> extraPages() {
    return cluster.comparison().isPresent() ? List.of(PageLayout.SHADOW) : List.of();
  }

  private static String removeExtension(String path) {
    return path.endsWith(JSON) || path.endsWith(HTML)
        ? path.substring(0, path.length() - JSON.length())
        : path;
  }

  private static long parseSince(String query) {
    for (String pair : query.split("&")) {
      if (pair.matches("since=[0-9]{1,18}")) {
        return Long.parseLong(pair.substring("since=".length()));
      }
    }
    return -1;
  }

  private ConsolePage page(String path, ListQuery query) throws InterruptedException {
    WaitingSnapshot snapshot = waiting.snapshot();
    if (path.isEmpty() || path.equals("overview")) {
      return OverviewPage.of(
          cluster.clusterView(),
          causes.group(snapshot),
          new OverviewPage.ControllerSpeed(
              waiting.boundTimes().summary(), waiting.rates().read(), waiting.history().read()),
          cluster.processStatus());
    }
    if (path.equals("waiting")) {
      return WaitingPage.of(query, causes.group(snapshot));
    }
    if (path.equals("plugins")) {
      return PluginsPage.of(cluster.processStatus());
    }
    if (path.equals("shadow") && cluster.comparison().isPresent()) {
      return new ComparisonPage(cluster.comparison().get());
    }
    List<String> segments = splitPath(path);
    Optional<ConsoleSection> section =
        segments.isEmpty() ? Optional.empty() : ConsoleSection.withPath(segments.getFirst());
    if (section.isEmpty()) {
      return notFound("There is no such page.");
    }
    if (segments.size() == 1) {
      ListPage list =
          ListPage.of(section.get(), query, cluster.clusterView(), sortedObjects, snapshot);
      return list.hasDangers() ? list.withDangers(cluster.dangers(list.keys())) : list;
    }
    boolean isNamespaced = section.get().kind().namespaced();
    if (segments.size() != (isNamespaced ? 3 : 2)) {
      return notFound("There is no such page.");
    }
    ObjectKey key =
        isNamespaced
            ? ObjectKey.of(segments.get(1), segments.get(2))
            : ObjectKey.cluster(segments.get(1));
    return objectPage(section.get(), key);
  }

  /**
   * Returns 503 before the caches are listed: an explanation would read the API server for each
   * object.
   */
  private ConsolePage objectPage(ConsoleSection section, ObjectKey key)
      throws InterruptedException {
    if (!cluster.isListed()) {
      return new ErrorPage(
          503, "Not yet", "The cluster is still being read. Try again in a moment.");
    }
    ClusterSnapshot snapshot = cluster.takeSnapshot();
    Optional<? extends Resource> object =
        snapshot.clusterView().informer(section.kind()).snapshot().get(key);
    List<Explanation> explanations =
        object.isPresent() ? explain(snapshot, section, key) : List.of();
    if (object.isEmpty() || explanations.isEmpty()) {
      return notFound(
          snapshot
              .clusterView()
              .readError(section.kind())
              .map(message -> "This kind cannot be read: " + message)
              .orElse(
                  "There is no %s %s, or it was deleted a moment ago."
                      .formatted(section.kind(), key)));
    }
    ClusterView view = snapshot.clusterView();
    Map<ConsoleSection, List<ObjectKey>> related =
        RelatedObjects.of(view, new SubjectRef(section.kind(), key));
    return new ObjectPage(
        section,
        key,
        object.get().meta().created(),
        cluster.withEvents(explanations, object.get()),
        new ObjectPage.RelatedSection(related, DatedFacts.of(view, related)),
        section == ConsoleSection.CLAIMS
            ? Optional.ofNullable(cluster.dangers(List.of(key)).get(key))
            : Optional.empty(),
        assistance(view),
        time.now());
  }

  private ObjectPage.Assistance assistance(ClusterView view) {
    List<StorageExtension> extensions = cluster.processStatus().extensions();
    return new ObjectPage.Assistance(
        cluster::tree,
        cluster::commands,
        explanation -> StorageServer.of(view, extensions, explanation.subject()));
  }

  // Limits concurrent explanations, because tens of thousands of candidates take much memory.
  private List<Explanation> explain(ClusterSnapshot snapshot, ConsoleSection section, ObjectKey key)
      throws InterruptedException {
    explanationPermits.acquire();
    try {
      return snapshot.explain(section.kind(), key);
    } finally {
      explanationPermits.release();
    }
  }

  private static ErrorPage notFound(String message) {
    return new ErrorPage(404, "Not found", message);
  }

  private static List<String> splitPath(String path) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      try {
        segments.add(URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        return List.of();
      }
    }
    return segments;
  }

  /**
   * Streams server-sent events for up to {@link #MAX_STREAM}; the browser then reconnects. An event
   * names no object: the browser fetches the page again, and the page applies the user's rights.
   *
   * @param since version of the browser's page; -1 for the current version
   * @throws IOException if the client has disconnected
   * @throws InterruptedException if the thread is interrupted
   */
  public void streamChanges(long since, Stream stream) throws IOException, InterruptedException {
    long deadline = time.nanos() + MAX_STREAM.toNanos();
    long sentVersion = since < 0 ? waiting.snapshot().version() : since;
    stream.send("retry: 1000\n\n");
    for (long remaining = deadline - time.nanos();
        remaining > 0;
        remaining = deadline - time.nanos()) {
      Duration timeout = Duration.ofNanos(Math.min(remaining, KEEP_ALIVE.toNanos()));
      if (waiting.awaitNewer(sentVersion, timeout)) {
        sentVersion = waiting.snapshot().version();
        stream.send("event: change\nid: " + sentVersion + "\ndata: " + sentVersion + "\n\n");
        time.sleep(MIN_CHANGE_INTERVAL);
      } else if (waiting.isStopped()) {
        return;
      } else {
        stream.send("event: still\ndata: -\n\n"); // lets the browser detect a hanging connection
      }
    }
  }
}
