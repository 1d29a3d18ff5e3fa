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
 * Checks that an idle controller-manager sends no requests while nothing changes. Reads the audit
 * log of any server.
 */
public final class QuietCheck {
  /** Length of the window without requests. */
  public static final Duration WINDOW = Duration.ofMillis(1500);

  /** Requests that an idle controller-manager may send, with the reason. */
  private static final Map<Pattern, String> PERMITTED =
      Map.of(
          Pattern.compile("watch .*"), "an open watch sends nothing",
          Pattern.compile("\\w+ /apis/coordination\\.k8s\\.io/v1/.*"), "lease renewal",
          Pattern.compile("\\w+ /(healthz|livez|readyz|version|api|apis).{0,20}"), "no objects");

  private final Path log;
  private final List<Pattern> extraPermitted;

  private QuietCheck(Path log, List<Pattern> extraPermitted) {
    this.log = log;
    this.extraPermitted = extraPermitted;
  }

  /** Reads the audit log at {@code log}. */
  public static QuietCheck of(Path log) {
    return new QuietCheck(log, List.of());
  }

  /** Returns the configuration of an in-memory server with an audit log. */
  public static ApiServer.ServerOptions auditedOptions(Path log) {
    return ApiServer.ServerOptions.DEFAULTS.withAuditLog(log);
  }

  /**
   * Returns a copy that permits matching requests.
   *
   * @param request a regular expression for {@code verb uri}
   * @param reason why an idle controller-manager sends these requests
   */
  public QuietCheck permitting(String request, String reason) {
    assertThat(reason).isNotBlank();
    List<Pattern> patterns = new ArrayList<>(extraPermitted);
    patterns.add(Pattern.compile(request));
    return new QuietCheck(log, List.copyOf(patterns));
  }

  /** Returns the current size of the log in bytes. */
  public long position() throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /**
   * Returns the controllers' requests after {@code position} in the log, without permitted ones.
   */
  public List<AuditEvent> requestsAfter(long position) throws IOException {
    return AuditEvent.read(log, position).stream()
        .filter(event -> event.isOfController() && !isPermitted(event))
        .toList();
  }

  private boolean isPermitted(AuditEvent request) {
    String text = request.toString();
    return PERMITTED.keySet().stream().anyMatch(pattern -> pattern.matcher(text).matches())
        || extraPermitted.stream().anyMatch(pattern -> pattern.matcher(text).matches());
  }

  /** Returns the requests of the coming {@code window}. */
  public List<AuditEvent> requestsDuring(Duration window) throws IOException {
    long start = position();
    long deadline = System.nanoTime() + window.toNanos();
    while (deadline - System.nanoTime() > 0) {
      LockSupport.parkNanos(deadline - System.nanoTime());
    }
    return requestsAfter(start);
  }

  /**
   * Fails unless a window without requests occurs within {@link TestWait#LONGEST}. Retries with
   * back-off eventually leave such a window; polling at a constant rate does not.
   */
  public void verify(Duration window) throws Exception {
    List<AuditEvent> requests =
        TestWait.lastOf(TestWait.LONGEST, () -> requestsDuring(window), List::isEmpty);
    assertThat(requests).as("requests within %s without a change", window).isEmpty();
  }
}
