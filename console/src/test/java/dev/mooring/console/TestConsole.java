package dev.mooring.console;

import dev.mooring.console.view.ConsoleSection;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.util.Map;

/** Console over a cluster that a test fills. */
public final class TestConsole implements AutoCloseable {
  private final SystemTime time = new SystemTime();
  private final FakeCluster cluster = new FakeCluster();
  private final Console console = new Console(cluster, time);

  public FakeCluster cluster() {
    return cluster;
  }

  /** Starts the console and waits until it has evaluated the objects that the cluster has. */
  public void start() {
    console.start();
    TestWait.until("the first full evaluation", () -> !page("").contains("still being read"));
  }

  private ConsoleReply answer(String path) throws InterruptedException {
    int question = path.indexOf('?');
    return console.answer(
        new ConsoleRequest(
            ConsoleSection.ROOT + (question < 0 ? path : path.substring(0, question)),
            question < 0 ? "" : path.substring(question + 1),
            ""));
  }

  /** Returns the HTML of a page without line breaks. */
  public String page(String path) {
    try {
      return ((ConsoleReply.Document) answer(path)).text();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the text of a page's main part without markup. */
  public String text(String path) {
    String page = page(path);
    return page.substring(page.indexOf("<main"), page.indexOf("</main>"))
        .replaceAll("<wbr>", "")
        .replaceAll("<[^>]*>", " ")
        .replace("&quot;", "\"")
        .replaceAll("\\s+", " ");
  }

  public Map<String, Object> json(String path) {
    try {
      return ((ConsoleReply.Data) answer(path)).tree();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      console.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    time.close();
  }
}
