package dev.mooring.kube.auth;

import dev.mooring.time.DoublingDelay;
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
  private static final DoublingDelay BACKOFF =
      new DoublingDelay(Duration.ofSeconds(1), Duration.ofSeconds(30));
  private static final long REFUSAL_INTERVAL = Duration.ofSeconds(5).toNanos();

  private record FetchedCredentials(
      CredentialSet credentials, @Nullable Instant expiry, @Nullable Instant renewalTime) {
    boolean isExpired(Instant now) {
      return expiry != null && now.isAfter(expiry);
    }

    boolean isDue(Instant now) {
      return renewalTime != null && now.isAfter(renewalTime);
    }
  }

  private final ExecPlugin plugin;
  private final Time time;
  private volatile @Nullable FetchedCredentials fetched;
  private @Nullable FutureTask<FetchedCredentials> currentRun;
  private @Nullable String failure;
  private int failures;
  private long retryNanos;
  private boolean wasRejected;
  private long rejectedNanos;

  ExecCredentials(ExecPlugin plugin, Time time) {
    this.plugin = plugin;
    this.time = time;
  }

  @Override
  public CredentialSet current(Duration maxWait) throws IOException {
    FetchedCredentials last = fetched;
    if (last != null && !last.isDue(time.now())) {
      return last.credentials();
    }
    if (last != null && !last.isExpired(time.now())) {
      renewInBackground();
      return last.credentials();
    }
    return await(startRenewal(), maxWait).credentials();
  }

  private void renewInBackground() {
    try {
      startRenewal();
    } catch (CredentialsException e) {
      // logged, and thrown again once the current credentials have expired
    }
  }

  private synchronized FutureTask<FetchedCredentials> startRenewal() throws CredentialsException {
    FetchedCredentials last = fetched;
    if (last != null && !last.isDue(time.now())) {
      FutureTask<FetchedCredentials> completed = new FutureTask<>(() -> last);
      completed.run();
      return completed;
    }
    return startOrJoin();
  }

  @Override
  public void handleRejection(CredentialSet credentials, Duration maxWait) throws IOException {
    FutureTask<FetchedCredentials> run;
    synchronized (this) {
      FetchedCredentials last = fetched;
      if (last == null || !last.credentials().equals(credentials)) {
        return; // already renewed
      }
      boolean isRunning = currentRun != null && !currentRun.isDone();
      if (!isRunning && wasRejected && time.nanos() - rejectedNanos < REFUSAL_INTERVAL) {
        return; // the server rejects new credentials as well
      }
      wasRejected = true;
      rejectedNanos = time.nanos();
      run = startOrJoin();
    }
    await(run, maxWait);
  }

  /**
   * Returns the current run, or starts one on a separate thread, so that no caller's limit
   * interrupts it.
   */
  private synchronized FutureTask<FetchedCredentials> startOrJoin() throws CredentialsException {
    FutureTask<FetchedCredentials> activeRun = currentRun;
    if (activeRun != null && !activeRun.isDone()) {
      return activeRun;
    }
    if (failure != null && time.nanos() - retryNanos < 0) {
      throw new CredentialsException(failure);
    }
    FutureTask<FetchedCredentials> run = new FutureTask<>(this::fetch);
    currentRun = run;
    Thread.ofVirtual().name("credentials").start(run);
    return run;
  }

  private FetchedCredentials await(FutureTask<FetchedCredentials> run, Duration maxWait)
      throws IOException {
    try {
      return run.get(maxWait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new CredentialsException(
          "credential plugin " + plugin.command() + " has not answered in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for credentials");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CredentialsException error) {
        throw new CredentialsException(String.valueOf(error.getMessage()));
      }
      throw new IOException(e.getCause());
    }
  }

  private FetchedCredentials fetch() throws IOException {
    try {
      FetchedCredentials newCredentials = toFetched(plugin.run());
      if (newCredentials.isExpired(time.now())) {
        throw new CredentialsException(
            "credential plugin " + plugin.command() + " returned expired credentials");
      }
      synchronized (this) {
        fetched = newCredentials;
        failure = null;
        failures = 0;
      }
      return newCredentials;
    } catch (CredentialsException e) {
      recordFailure(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private synchronized void recordFailure(String line) {
    if (!line.equals(failure)) {
      LOG.log(Level.WARNING, () -> line);
    }
    failure = line;
    retryNanos = time.nanos() + BACKOFF.delayAfter(++failures).toNanos();
  }

  private FetchedCredentials toFetched(ExecPlugin.PluginCredentials result) {
    Instant expiry = result.expiry();
    if (expiry == null) {
      return new FetchedCredentials(result.credentials(), null, null);
    }
    Duration lifetime = Duration.between(time.now(), expiry);
    Duration tenth = lifetime.isNegative() ? Duration.ZERO : lifetime.dividedBy(10);
    return new FetchedCredentials(
        result.credentials(),
        expiry,
        expiry.minus(tenth.compareTo(RENEWAL_LEAD) < 0 ? tenth : RENEWAL_LEAD));
  }
}
