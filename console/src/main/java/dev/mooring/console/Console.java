package dev.mooring.console;

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
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.RelatedObjects;
import dev.mooring.console.view.SortedObjects;
import dev.mooring.console.view.WaitingObjects;
import dev.mooring.console.view.WaitingSnapshot;
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
  private static final Duration LONGEST_STREAM = Duration.ofSeconds(25);

  private static final Duration STILL_HERE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(250);
  private static final int AT_ONCE = 2;
  private static final String JSON = ".json";
  private static final String HTML = ".html";

  private final FollowedCluster cluster;
  private final Time time;
  private final WaitingObjects waiting;
  private final SortedObjects listing = new SortedObjects();
  private final StaticAssets assets = new StaticAssets();
  private final Semaphore explaining = new Semaphore(AT_ONCE, true);

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
      Optional<ConsoleReply> asset = assets.named(target.substring("assets/".length()));
      return asset.orElseGet(() -> document(notFound("There is no such file.")));
    }
    if (target.equals("events")) {
      return new ConsoleReply.Changes(since(request.query()));
    }
    boolean json = target.endsWith(JSON) || !target.endsWith(HTML) && request.prefersJson();
    ConsolePage page = page(withoutExtension(target), ListQuery.of(request.query()));
    return json ? new ConsoleReply.Data(page.code(), tree(page)) : document(page);
  }

  private Map<String, Object> tree(ConsolePage page) {
    Optional<ApiServerOutage> outage = waiting.now().outage();
    if (outage.isEmpty()) {
      return page.tree();
    }
    Map<String, Object> tree = new LinkedHashMap<>(page.tree());
    tree.put("outage", Map.of("since", outage.get().since().toString(), "why", outage.get().why()));
    return tree;
  }

  private ConsoleReply document(ConsolePage page) {
    return new ConsoleReply.Document(page.code(), PageLayout.of(page, waiting.now()));
  }

  private static String withoutExtension(String path) {
    return path.endsWith(JSON) || path.endsWith(HTML)
        ? path.substring(0, path.length() - JSON.length())
        : path;
  }

  private static long since(String query) {
    for (String pair : query.split("&")) {
      if (pair.matches("since=[0-9]{1,18}")) {
        return Long.parseLong(pair.substring("since=".length()));
      }
    }
    return -1;
  }

  private ConsolePage page(String path, ListQuery query) throws InterruptedException {
    WaitingSnapshot now = waiting.now();
    if (path.isEmpty() || path.equals("overview")) {
      return OverviewPage.of(
          cluster.clusterView(),
          now,
          new OverviewPage.ControllerSpeed(waiting.bound().summary(), waiting.rates().read()),
          cluster.processStatus());
    }
    if (path.equals("waiting")) {
      return WaitingPage.of(query, now);
    }
    if (path.equals("plugins")) {
      return PluginsPage.of(cluster.processStatus());
    }
    List<String> parts = parts(path);
    Optional<ConsoleSection> section =
        parts.isEmpty() ? Optional.empty() : ConsoleSection.at(parts.getFirst());
    if (section.isEmpty()) {
      return notFound("There is no such page.");
    }
    if (parts.size() == 1) {
      return ListPage.of(section.get(), query, cluster.clusterView(), listing, now);
    }
    boolean namespaced = section.get().kind().namespaced();
    if (parts.size() != (namespaced ? 3 : 2)) {
      return notFound("There is no such page.");
    }
    ObjectKey key =
        namespaced ? ObjectKey.of(parts.get(1), parts.get(2)) : ObjectKey.cluster(parts.get(1));
    return object(section.get(), key);
  }

  /**
   * Returns 503 before the caches are listed: an explanation would read the API server for each
   * object.
   */
  private ConsolePage object(ConsoleSection section, ObjectKey key) throws InterruptedException {
    if (!cluster.isListed()) {
      return new ErrorPage(503, "Not yet", "The cluster is still being read. Try again in a view.");
    }
    ClusterSnapshot view = cluster.takeSnapshot();
    Optional<? extends Resource> object =
        view.clusterView().informer(section.kind()).snapshot().get(key);
    List<Explanation> explanations = object.isPresent() ? explain(view, section, key) : List.of();
    if (object.isEmpty() || explanations.isEmpty()) {
      return notFound(
          view.clusterView()
              .unseen(section.kind())
              .map(why -> "This kind cannot be read: " + why)
              .orElse(
                  "There is no %s %s, or it was deleted a moment ago."
                      .formatted(section.kind(), key)));
    }
    return new ObjectPage(
        section,
        key,
        object.get().meta().created(),
        cluster.withEvents(explanations, object.get()),
        new ObjectPage.RelatedObjects(
            RelatedObjects.of(view.clusterView(), new SubjectRef(section.kind(), key)),
            cluster::tree),
        time.now());
  }

  // Limits concurrent explanations, because tens of thousands of candidates take much memory.
  private List<Explanation> explain(ClusterSnapshot view, ConsoleSection section, ObjectKey key)
      throws InterruptedException {
    explaining.acquire();
    try {
      return view.explain(section.kind(), key);
    } finally {
      explaining.release();
    }
  }

  private static ErrorPage notFound(String why) {
    return new ErrorPage(404, "Not found", why);
  }

  private static List<String> parts(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      try {
        parts.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException strange) {
        return List.of();
      }
    }
    return parts;
  }

  /**
   * Streams server-sent events for up to {@link #LONGEST_STREAM}; the browser then reconnects. An
   * event names no object: the browser fetches the page again, and the page applies the user's
   * rights.
   *
   * @param since version of the browser's page; -1 for the current version
   * @throws IOException if the client has disconnected
   * @throws InterruptedException if the thread is interrupted
   */
  public void streamChanges(long since, Stream stream) throws IOException, InterruptedException {
    long end = time.nanos() + LONGEST_STREAM.toNanos();
    long sent = since < 0 ? waiting.now().version() : since;
    stream.send("retry: 1000\n\n");
    for (long left = end - time.nanos(); left > 0; left = end - time.nanos()) {
      Duration patience = Duration.ofNanos(Math.min(left, STILL_HERE.toNanos()));
      if (waiting.awaitNewer(sent, patience)) {
        sent = waiting.now().version();
        stream.send("event: change\nid: " + sent + "\ndata: " + sent + "\n\n");
        time.sleep(BETWEEN_CHANGES);
      } else if (waiting.isOver()) {
        return;
      } else {
        stream.send("event: still\ndata: -\n\n"); // lets the browser detect a hanging connection
      }
    }
  }
}
