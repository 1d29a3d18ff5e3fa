package dev.mooring.console;

import dev.mooring.console.page.Layout;
import dev.mooring.console.page.ListPage;
import dev.mooring.console.page.NoPage;
import dev.mooring.console.page.ObjectPage;
import dev.mooring.console.page.OverviewPage;
import dev.mooring.console.page.Page;
import dev.mooring.console.page.PluginsPage;
import dev.mooring.console.page.Query;
import dev.mooring.console.page.WaitingPage;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.Listing;
import dev.mooring.console.view.Moment;
import dev.mooring.console.view.Outage;
import dev.mooring.console.view.Related;
import dev.mooring.console.view.Section;
import dev.mooring.console.view.Waiting;
import dev.mooring.console.view.WaitingObjects;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Subject;
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

/** Answers what browsers and programs ask. Whoever hosts it speaks HTTP. Thread-safe. */
public final class Console {
  public static final String ROOT = Section.ROOT;

  /** Then a browser asks again, with its credentials. */
  private static final Duration LONGEST_STREAM = Duration.ofSeconds(25);

  private static final Duration STILL_HERE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_CHANGES = Duration.ofMillis(250);
  private static final int AT_ONCE = 2;
  private static final String JSON = ".json";
  private static final String HTML = ".html";

  private final FollowedCluster cluster;
  private final Time time;
  private final WaitingObjects waiting;
  private final Listing listing = new Listing();
  private final Assets assets = new Assets();
  private final Semaphore explaining = new Semaphore(AT_ONCE, true);

  @FunctionalInterface
  public interface Stream {
    /**
     * Sends that at once.
     *
     * @throws IOException if nobody is there any more
     */
    void send(String text) throws IOException;
  }

  /** Over that cluster; nothing is looked at yet. */
  public Console(FollowedCluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.waiting = new WaitingObjects(cluster, time);
  }

  public void start() {
    waiting.start();
  }

  /** Ends, and what is told with it. */
  public void stop() throws InterruptedException {
    waiting.stop();
  }

  /**
   * Answers.
   *
   * @throws InterruptedException if the thread is interrupted while the API server is asked
   */
  public ConsoleReply answer(ConsoleRequest request) throws InterruptedException {
    String path = request.path();
    if (path.equals("/") || path.equals("/console")) {
      return new ConsoleReply.Moved(ROOT);
    }
    if (!path.startsWith(ROOT)) {
      return document(none("There is no such page."));
    }
    String rest = path.substring(ROOT.length());
    if (rest.startsWith("assets/")) {
      Optional<ConsoleReply> asset = assets.named(rest.substring("assets/".length()));
      return asset.orElseGet(() -> document(none("There is no such file.")));
    }
    if (rest.equals("events")) {
      return new ConsoleReply.Changes(since(request.query()));
    }
    boolean json = rest.endsWith(JSON) || !rest.endsWith(HTML) && request.prefersJson();
    Page page = page(plain(rest), Query.of(request.query()));
    return json ? new ConsoleReply.Data(page.code(), tree(page)) : document(page);
  }

  private Map<String, Object> tree(Page page) {
    Optional<Outage> outage = waiting.now().outage();
    if (outage.isEmpty()) {
      return page.tree();
    }
    Map<String, Object> tree = new LinkedHashMap<>(page.tree());
    tree.put("outage", Map.of("since", outage.get().since().toString(), "why", outage.get().why()));
    return tree;
  }

  private ConsoleReply document(Page page) {
    return new ConsoleReply.Document(page.code(), Layout.of(page, waiting.now()));
  }

  private static String plain(String path) {
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

  private Page page(String path, Query query) throws InterruptedException {
    Waiting now = waiting.now();
    if (path.isEmpty() || path.equals("overview")) {
      return OverviewPage.of(
          cluster.sight(),
          now,
          new OverviewPage.Pace(waiting.bound().summary(), waiting.rates().read()),
          cluster.standing());
    }
    if (path.equals("waiting")) {
      return WaitingPage.of(query, now);
    }
    if (path.equals("plugins")) {
      return PluginsPage.of(cluster.standing());
    }
    List<String> parts = parts(path);
    Optional<Section> section = parts.isEmpty() ? Optional.empty() : Section.at(parts.getFirst());
    if (section.isEmpty()) {
      return none("There is no such page.");
    }
    if (parts.size() == 1) {
      return ListPage.of(section.get(), query, cluster.sight(), listing, now);
    }
    boolean namespaced = section.get().kind().namespaced();
    if (parts.size() != (namespaced ? 3 : 2)) {
      return none("There is no such page.");
    }
    ObjectKey key =
        namespaced ? ObjectKey.of(parts.get(1), parts.get(2)) : ObjectKey.cluster(parts.get(1));
    return object(section.get(), key);
  }

  /**
   * Of what is not listed yet it would have to ask the server, and be told what changes at once.
   */
  private Page object(Section section, ObjectKey key) throws InterruptedException {
    if (!cluster.isListed()) {
      return new NoPage(503, "Not yet", "The cluster is still being read.");
    }
    Moment moment = cluster.moment();
    Optional<? extends Resource> object =
        moment.sight().informer(section.kind()).snapshot().get(key);
    List<Explanation> explanations =
        object.isPresent() ? explained(moment, section, key) : List.of();
    if (object.isEmpty() || explanations.isEmpty()) {
      return none(
          moment
              .sight()
              .unseen(section.kind())
              .map(why -> "It cannot be read: " + why)
              .orElse("There is no " + section.kind() + " " + key + ", or it went a moment ago."));
    }
    return new ObjectPage(
        section,
        key,
        object.get().meta().created(),
        cluster.withEvents(explanations, object.get()),
        new ObjectPage.Related(
            Related.of(moment.sight(), new Subject(section.kind(), key)), cluster::tree),
        time.now());
  }

  /** Tens of thousands of candidates take memory while they are looked at: few look at once. */
  private List<Explanation> explained(Moment moment, Section section, ObjectKey key)
      throws InterruptedException {
    explaining.acquire();
    try {
      return moment.explain(section.kind(), key);
    } finally {
      explaining.release();
    }
  }

  private static NoPage none(String why) {
    return new NoPage(404, "Not found", why);
  }

  /** The parts of a path, without their escapes; none if one of them is no text. */
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
   * Tells a browser of changes as server-sent events, for some time; then it asks again. An event
   * has no content: which objects it is about is none of its business, the page is asked for anew.
   *
   * @param since the version of what the browser shows; -1 for what there is now
   * @throws IOException if nobody is there any more
   * @throws InterruptedException if the thread is interrupted
   */
  public void tell(long since, Stream stream) throws IOException, InterruptedException {
    long end = time.nanos() + LONGEST_STREAM.toNanos();
    long told = since < 0 ? waiting.now().version() : since;
    stream.send("retry: 1000\n\n");
    for (long left = end - time.nanos(); left > 0; left = end - time.nanos()) {
      Duration patience = Duration.ofNanos(Math.min(left, STILL_HERE.toNanos()));
      if (waiting.awaitNewer(told, patience)) {
        told = waiting.now().version();
        stream.send("event: change\nid: " + told + "\ndata: " + told + "\n\n");
        time.sleep(BETWEEN_CHANGES);
      } else if (waiting.isOver()) {
        return;
      } else {
        stream.send("event: still\ndata: -\n\n"); // a browser whose connection hangs misses it
      }
    }
  }
}
