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
 * Credentials of an exec plugin (client.authentication.k8s.io). Thread-safe.
 *
 * <p>The plugin runs before its credentials expire, while the old ones remain in use, and when the
 * server rejects them. Concurrent callers share one run. A caller waits no longer than its own
 * limit; the run continues. After a failure the plugin backs off, and callers get the error
 * meanwhile.
 */
final class ExecCredentials implements Credentials {
  private static final System.Logger LOG = System.getLogger(ExecCredentials.class.getName());
  private static final Duration RENEWAL_LEAD = Duration.ofMinutes(1);
  private static final long MIN_PAUSE = Duration.ofSeconds(1).toNanos();
  private static final long MAX_PAUSE = Duration.ofSeconds(30).toNanos();
  private static final long REFUSAL_INTERVAL = Duration.ofSeconds(5).toNanos();

  private record FetchedCredentials(
      CredentialSet credentials, @Nullable Instant end, @Nullable Instant renewal) {
    boolean isExpired(Instant now) {
      return end != null && now.isAfter(end);
    }

    boolean isDue(Instant now) {
      return renewal != null && now.isAfter(renewal);
    }
  }

  private final ExecPlugin plugin;
  private final Time time;
  private volatile @Nullable FetchedCredentials held;
  private @Nullable FutureTask<FetchedCredentials> running;
  private @Nullable String failure;
  private long pause = MIN_PAUSE;
  private long notBefore;
  private boolean everRefused;
  private long refusedAt;

  ExecCredentials(ExecPlugin plugin, Time time) {
    this.plugin = plugin;
    this.time = time;
  }

  @Override
  public CredentialSet current(Duration most) throws IOException {
    FetchedCredentials now = held;
    if (now != null && !now.isDue(time.now())) {
      return now.credentials();
    }
    if (now != null && !now.isExpired(time.now())) {
      renewInBackground();
      return now.credentials();
    }
    return await(renewal(), most).credentials();
  }

  private void renewInBackground() {
    try {
      renewal();
    } catch (CredentialsException e) {
      // logged, and thrown again once the current credentials have expired
    }
  }

  private synchronized FutureTask<FetchedCredentials> renewal() throws CredentialsException {
    FetchedCredentials now = held;
    if (now != null && !now.isDue(time.now())) {
      FutureTask<FetchedCredentials> done = new FutureTask<>(() -> now);
      done.run();
      return done;
    }
    return startOrJoin();
  }

  @Override
  public void refused(CredentialSet credentials, Duration most) throws IOException {
    FutureTask<FetchedCredentials> run;
    synchronized (this) {
      FetchedCredentials now = held;
      if (now == null || !now.credentials().equals(credentials)) {
        return; // already renewed
      }
      boolean runs = running != null && !running.isDone();
      if (!runs && everRefused && time.nanos() - refusedAt < REFUSAL_INTERVAL) {
        return; // the server rejects new credentials as well
      }
      everRefused = true;
      refusedAt = time.nanos();
      run = startOrJoin();
    }
    await(run, most);
  }

  /**
   * Returns the current run, or starts one on a separate thread, so that no caller's limit
   * interrupts it.
   */
  private synchronized FutureTask<FetchedCredentials> startOrJoin() throws CredentialsException {
    FutureTask<FetchedCredentials> last = running;
    if (last != null && !last.isDone()) {
      return last;
    }
    if (failure != null && time.nanos() - notBefore < 0) {
      throw new CredentialsException(failure);
    }
    FutureTask<FetchedCredentials> run = new FutureTask<>(this::run);
    running = run;
    Thread.ofVirtual().name("credentials").start(run);
    return run;
  }

  private FetchedCredentials await(FutureTask<FetchedCredentials> run, Duration most)
      throws IOException {
    try {
      return run.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new CredentialsException(
          "credential plugin " + plugin.command() + " has not answered in time");
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

  private FetchedCredentials run() throws IOException {
    try {
      FetchedCredentials fresh = held(plugin.run());
      if (fresh.isExpired(time.now())) {
        throw new CredentialsException(
            "credential plugin " + plugin.command() + " returned expired credentials");
      }
      synchronized (this) {
        held = fresh;
        failure = null;
        pause = MIN_PAUSE;
      }
      return fresh;
    } catch (CredentialsException e) {
      noteFailure(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private synchronized void noteFailure(String line) {
    if (!line.equals(failure)) {
      LOG.log(Level.WARNING, () -> line);
    }
    failure = line;
    notBefore = time.nanos() + pause;
    pause = Math.min(MAX_PAUSE, 2 * pause);
  }

  private FetchedCredentials held(ExecPlugin.Result result) {
    Instant end = result.end();
    if (end == null) {
      return new FetchedCredentials(result.credentials(), null, null);
    }
    Duration life = Duration.between(time.now(), end);
    Duration tenth = life.isNegative() ? Duration.ZERO : life.dividedBy(10);
    return new FetchedCredentials(
        result.credentials(),
        end,
        end.minus(tenth.compareTo(RENEWAL_LEAD) < 0 ? tenth : RENEWAL_LEAD));
  }
}
