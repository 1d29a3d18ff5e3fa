package dev.mooring.kube.auth;

import dev.mooring.time.Time;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a program (client.authentication.k8s.io). It is run once for all who ask at the
 * same time: before its credentials end, while the old ones are used, and when the server does not
 * take them. Nobody waits for it longer than he has time, and it runs on. After a failure it is
 * left alone for a moment, the longer the more often it failed, and who asks meanwhile is told what
 * was wrong. Thread-safe.
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
  private volatile @Nullable Held held;
  private @Nullable FutureTask<Held> running;
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
  public Shown current(Duration most) throws IOException {
    Held now = held;
    if (now != null && !now.isDue(time.now())) {
      return now.shown();
    }
    if (now != null && !now.isOver(time.now())) {
      renewMeanwhile();
      return now.shown();
    }
    return awaited(renewal(), most).shown();
  }

  /** What there is goes on being shown while the program runs. */
  private void renewMeanwhile() {
    try {
      renewal();
    } catch (CredentialsException e) {
      // said already, and said again by whoever asks when the old ones are over
    }
  }

  private synchronized FutureTask<Held> renewal() throws CredentialsException {
    Held now = held;
    if (now != null && !now.isDue(time.now())) {
      FutureTask<Held> done = new FutureTask<>(() -> now);
      done.run();
      return done;
    }
    return begun();
  }

  @Override
  public void refused(Shown shown, Duration most) throws IOException {
    FutureTask<Held> run;
    synchronized (this) {
      Held now = held;
      if (now == null || !now.shown().equals(shown)) {
        return; // renewed already
      }
      boolean runs = running != null && !running.isDone();
      if (!runs && everRefused && time.nanos() - refusedAt < BETWEEN_REFUSALS) {
        return; // the server takes none of them
      }
      everRefused = true;
      refusedAt = time.nanos();
      run = begun();
    }
    awaited(run, most);
  }

  /** The one that runs, or else a new one on a thread of its own, which nobody can hurry. */
  private synchronized FutureTask<Held> begun() throws CredentialsException {
    FutureTask<Held> last = running;
    if (last != null && !last.isDone()) {
      return last;
    }
    if (failure != null && time.nanos() - notBefore < 0) {
      throw new CredentialsException(failure);
    }
    FutureTask<Held> run = new FutureTask<>(this::run);
    running = run;
    Thread.ofVirtual().name("credentials").start(run);
    return run;
  }

  private Held awaited(FutureTask<Held> run, Duration most) throws IOException {
    try {
      return run.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new CredentialsException(
          "credential plugin " + plugin.command() + " is still being waited for");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for credentials");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CredentialsException why) {
        throw new CredentialsException(String.valueOf(why.getMessage()));
      }
      throw new IOException(e.getCause());
    }
  }

  private Held run() throws IOException {
    try {
      Held fresh = held(plugin.run());
      if (fresh.isOver(time.now())) {
        throw new CredentialsException(
            "credential plugin " + plugin.command() + " answered with credentials that are over");
      }
      synchronized (this) {
        held = fresh;
        failure = null;
        pause = SHORTEST_PAUSE;
      }
      return fresh;
    } catch (CredentialsException e) {
      failed(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private synchronized void failed(String line) {
    if (!line.equals(failure)) {
      LOG.log(Level.WARNING, () -> line);
    }
    failure = line;
    notBefore = time.nanos() + pause;
    pause = Math.min(LONGEST_PAUSE, 2 * pause);
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
