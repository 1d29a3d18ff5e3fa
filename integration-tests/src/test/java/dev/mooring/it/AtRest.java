package dev.mooring.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.testkit.Patience;
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
 * Whether a controller-manager is at rest: while nothing changes, nothing is written and nothing is
 * asked. It reads the server's audit log, so it works with any server that has one.
 */
public final class AtRest {
  /** How long nothing may be asked. */
  public static final Duration WINDOW = Duration.ofMillis(1500);

  /** What is asked at rest too, and why. */
  private static final Map<Pattern, String> KNOWN =
      Map.of(
          Pattern.compile("watch .*"), "a watch is waiting, not asking",
          Pattern.compile("\\w+ /apis/coordination\\.k8s\\.io/v1/.*"), "who leads says so",
          Pattern.compile("\\w+ /(healthz|livez|readyz|version|api|apis).{0,20}"), "no objects");

  private final Path log;
  private final List<Pattern> more;

  private AtRest(Path log, List<Pattern> more) {
    this.log = log;
    this.more = more;
  }

  /** A look at the server that writes that audit log. */
  public static AtRest of(Path log) {
    return new AtRest(log, List.of());
  }

  /** An in-memory server that writes an audit log there. */
  public static ApiServer.Config audited(Path log) {
    return ApiServer.Config.DEFAULTS.withAuditLog(log);
  }

  /**
   * The same look, at which requests of that form are known.
   *
   * @param request a regular expression for {@code verb uri}
   * @param why why it is right that they are made at rest
   */
  public AtRest knowing(String request, String why) {
    assertThat(why).isNotBlank();
    List<Pattern> all = new ArrayList<>(more);
    all.add(Pattern.compile(request));
    return new AtRest(log, List.copyOf(all));
  }

  /** Where the log ends at this moment. */
  public long position() throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /** What controllers have asked since then, tests' own requests and what is known left out. */
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

  /** What is asked during that time from now on. */
  public List<AuditEvent> during(Duration window) throws IOException {
    long from = position();
    long end = System.nanoTime() + window.toNanos();
    while (end - System.nanoTime() > 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    return since(from);
  }

  /**
   * Fails unless there comes a time, soon, in which nothing is asked for so long. What is tried
   * again with growing pauses comes to rest, what goes on at its pace does not.
   */
  public void verify(Duration window) throws Exception {
    List<AuditEvent> asked = Patience.lastOf(Patience.LONGEST, () -> during(window), List::isEmpty);
    assertThat(asked).as("what is asked in %s although nothing changes", window).isEmpty();
  }
}
