package dev.mooring.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * Checks that an idle controller-manager sends no requests while nothing changes. Reads the
 * server's audit log, so it works with any server that writes one.
 */
public final class QuietCheck {
  /** Length of the window without requests. */
  public static final Duration WINDOW = Duration.ofMillis(1500);

  /** Requests that are permitted at rest, with the reason. */
  private static final Map<Pattern, String> KNOWN =
      Map.of(
          Pattern.compile("watch .*"), "an open watch sends nothing",
          Pattern.compile("\\w+ /apis/coordination\\.k8s\\.io/v1/.*"), "lease renewal",
          Pattern.compile("\\w+ /(healthz|livez|readyz|version|api|apis).{0,20}"), "no objects");

  private final Path log;
  private final List<Pattern> more;

  private QuietCheck(Path log, List<Pattern> more) {
    this.log = log;
    this.more = more;
  }

  /** Reads the audit log at {@code log}. */
  public static QuietCheck of(Path log) {
    return new QuietCheck(log, List.of());
  }

  /** Returns the configuration of an in-memory server with an audit log. */
  public static ApiServer.ServerOptions audited(Path log) {
    return ApiServer.ServerOptions.DEFAULTS.withAuditLog(log);
  }

  /**
   * Returns a copy that permits matching requests.
   *
   * @param request a regular expression for {@code verb uri}
   * @param why why these requests are right at rest
   */
  public QuietCheck knowing(String request, String why) {
    assertThat(why).isNotBlank();
    List<Pattern> all = new ArrayList<>(more);
    all.add(Pattern.compile(request));
    return new QuietCheck(log, List.copyOf(all));
  }

  /** Returns the current end of the log. */
  public long position() throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /** Returns the controllers' requests since then, without permitted ones. */
  public List<AuditEvent> since(long position) throws IOException {
    return AuditEvent.read(log, position).stream()
        .filter(event -> event.isOfController() && !isKnown(event))
        .toList();
  }

  private boolean isKnown(AuditEvent request) {
    String text = request.toString();
    return KNOWN.keySet().stream().anyMatch(p -> p.matcher(text).matches())
        || more.stream().anyMatch(p -> p.matcher(text).matches());
  }

  /** Returns the requests of the coming {@code window}. */
  public List<AuditEvent> during(Duration window) throws IOException {
    long from = position();
    long end = System.nanoTime() + window.toNanos();
    while (end - System.nanoTime() > 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    return since(from);
  }

  /**
   * Fails unless a window without requests occurs soon. Retries with back-off eventually leave such
   * a window; polling at a constant rate does not.
   */
  public void verify(Duration window) throws Exception {
    List<AuditEvent> asked = TestWait.lastOf(TestWait.LONGEST, () -> during(window), List::isEmpty);
    assertThat(asked).as("requests within %s without a change", window).isEmpty();
  }
}
