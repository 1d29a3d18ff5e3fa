package dev.mooring.kube.auth;

import dev.mooring.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a program (client.authentication.k8s.io). It is run once for all who ask at the
 * same time: before its credentials end, while the old ones are used, and when the server does not
 * take them. After a failure it is left alone for a moment, the longer the more often it failed,
 * and who asks meanwhile is told what was wrong. Thread-safe.
 */
final class ExecCredentials implements Credentials {
  private static final System.Logger LOG = System.getLogger(ExecCredentials.class.getName());
  private static final Duration AHEAD = Duration.ofMinutes(1);
  private static final long SHORTEST_PAUSE = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofSeconds(30).toNanos();
  private static final long BETWEEN_REFUSALS = Duration.ofSeconds(5).toNanos();

  private record Held(Shown shown, @Nullable Instant end, @Nullable Instant renewal) {
    boolean isOver(Instant now) {
      return end != null && now.isAfter(end);
    }

    boolean isDue(Instant now) {
      return renewal != null && now.isAfter(renewal);
    }
  }

  private final ExecPlugin plugin;
  private final Time time;
  private final ReentrantLock running = new ReentrantLock();
  private volatile @Nullable Held held;
  private @Nullable String failure;
  private long pause = SHORTEST_PAUSE;
  private long notBefore;
  private boolean everRefused;
  private long refusedAt;

  ExecCredentials(ExecPlugin plugin, Time time) {
    this.plugin = plugin;
    this.time = time;
  }

  @Override
  public Shown current() throws IOException {
    Held now = held;
    if (now != null && !now.isDue(time.now())) {
      return now.shown();
    }
    if (now != null && !now.isOver(time.now())) {
      renewMeanwhile();
      return now.shown();
    }
    lock();
    try {
      Held since = held;
      return since != null && !since.isOver(time.now()) ? since.shown() : run().shown();
    } finally {
      running.unlock();
    }
  }

  @Override
  public void refused(Shown shown) throws IOException {
    lock();
    try {
      Held now = held;
      if (now == null || !now.shown().equals(shown)) {
        return; // renewed already
      }
      if (everRefused && time.nanos() - refusedAt < BETWEEN_REFUSALS) {
        return; // the server takes none of them
      }
      everRefused = true;
      refusedAt = time.nanos();
      run();
    } finally {
      running.unlock();
    }
  }

  private void lock() throws IOException {
    try {
      running.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for credentials");
    }
  }

  /** What there is goes on being shown while the program runs. */
  private void renewMeanwhile() {
    if (running.isLocked()) {
      return;
    }
    Thread.ofVirtual()
        .name("credentials")
        .start(() -> {
          if (!running.tryLock()) {
            return;
          }
          try {
            Held now = held;
            if (now == null || now.isDue(time.now())) {
              run();
            }
          } catch (IOException | RuntimeException e) {
            // said already, and said again by whoever asks when the old ones are over
          } finally {
            running.unlock();
          }
        });
  }

  private Held run() throws IOException {
    if (failure != null && time.nanos() - notBefore < 0) {
      throw new CredentialsException(failure);
    }
    try {
      ExecPlugin.Result result = plugin.run();
      Held fresh = held(result);
      if (fresh.isOver(time.now())) {
        throw new CredentialsException(
            "credential plugin " + plugin.command() + " answered with credentials that are over");
      }
      held = fresh;
      failure = null;
      pause = SHORTEST_PAUSE;
      return fresh;
    } catch (CredentialsException e) {
      String line = String.valueOf(e.getMessage());
      if (!line.equals(failure)) {
        LOG.log(Level.WARNING, () -> line);
      }
      failure = line;
      notBefore = time.nanos() + pause;
      pause = Math.min(LONGEST_PAUSE, 2 * pause);
      throw e;
    }
  }

  private Held held(ExecPlugin.Result result) {
    Instant end = result.end();
    if (end == null) {
      return new Held(result.shown(), null, null);
    }
    Duration life = Duration.between(time.now(), end);
    Duration tenth = life.isNegative() ? Duration.ZERO : life.dividedBy(10);
    return new Held(result.shown(), end, end.minus(tenth.compareTo(AHEAD) < 0 ? tenth : AHEAD));
  }
}
