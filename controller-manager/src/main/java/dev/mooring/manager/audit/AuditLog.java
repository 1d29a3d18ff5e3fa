package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.manager.telemetry.MetricFamilies;
import dev.mooring.manager.telemetry.MetricsSource;
import dev.mooring.thread.VitalThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Audit log of JSON lines. A dedicated thread encodes and writes the entries of a bounded queue.
 * Failed writes are retried until they succeed. Entries are lost only if the queue is full. Losses
 * are counted, logged by the process, and marked in the audit log. No caller blocks on the disk: a
 * full disk must not stop the controllers. Thread-safe.
 */
public final class AuditLog implements AuditSink, MetricsSource {
  public static final String STANDARD_OUTPUT = "-";

  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final int BACKLOG = 8192;
  private static final int AT_ONCE = 512;
  private static final String FULL = BACKLOG + " entries are queued already";

  // Time to collect a batch. Writing each line separately would slow down the controllers.
  private static final Duration GATHERED = Duration.ofMillis(100);

  private static final Duration IDLE = Duration.ofMillis(200);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  public record Config(String target, long mostBytes, int mostFiles) {}

  private record QueuedEntry(AuditEntry entry, long missing) {}

  private final String target;
  private final OutputStream out;
  private final BlockingQueue<QueuedEntry> backlog = new ArrayBlockingQueue<>(BACKLOG);
  private final LongAdder written = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final AtomicLong unreportedLosses = new AtomicLong();
  private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile String problem = "";
  private volatile String lastLoss = "";
  private volatile int batchSize;

  // confined to the writing thread
  private final List<QueuedEntry> batch = new ArrayList<>(AT_ONCE);
  private final LineWriter lines = new LineWriter();

  public AuditLog(String target, OutputStream out) {
    this.target = target;
    this.out = out;
    // file I/O would block carrier threads of virtual threads, which the controllers need
    this.thread = VitalThreads.start(AuditLog::platform, "audit", this::isClosing, this::loop);
  }

  public static AuditLog open(Config config) throws IOException {
    if (config.target().equals(STANDARD_OUTPUT)) {
      return new AuditLog("standard output", new StandardOutput());
    }
    try {
      return new AuditLog(
          config.target(),
          new RotatingFile(
              Path.of(config.target()).toAbsolutePath(), config.mostBytes(), config.mostFiles()));
    } catch (IOException | RuntimeException why) {
      throw new IOException(
          "--audit-log " + config.target() + " cannot be written: " + reason(why), why);
    }
  }

  private static String reason(Exception why) {
    return switch (why) {
      case NoSuchFileException _ -> "no such directory";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(why.getMessage());
    };
  }

  private static Thread platform(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  @Override
  public void note(AuditEntry entry) {
    long missing = unreportedLosses.get() == 0 ? 0 : unreportedLosses.getAndSet(0);
    if (isClosing() || !backlog.offer(new QueuedEntry(entry, missing))) {
      unreportedLosses.addAndGet(missing);
      lose(1, isClosing() ? "the process is stopping" : FULL);
    }
  }

  private void lose(int entries, String why) {
    unreportedLosses.addAndGet(entries);
    lost.add(entries);
    String because = problem.isEmpty() ? why : why + ": " + problem;
    lastLoss = because;
    warn(() ->
        lost.sum() + " lines of the audit log " + target + " were lost; last cause: " + because);
  }

  private void warn(Supplier<String> what) {
    long due = nextWarning.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextWarning.compareAndSet(due, now + BETWEEN_WARNINGS.toNanos())) {
      LOG.log(Level.WARNING, what);
    }
  }

  public long written() {
    return written.sum();
  }

  public long lost() {
    return lost.sum();
  }

  @Override
  public void addTo(MetricFamilies all) {
    all.counter("mooring_audit_lines_written", "Number of audit log lines written.", written.sum());
    all.counter(
        "mooring_audit_lines_lost",
        "Number of audit log lines lost: queue full, or write failed.",
        lost.sum());
  }

  private void loop() {
    boolean more = true;
    while (more) {
      try {
        gather();
        more = !isClosing() || !batch.isEmpty();
        encode();
        writeOut();
        batch.clear();
        batchSize = 0;
      } catch (InterruptedException interrupted) {
        more = !isClosing();
      }
    }
  }

  private void gather() throws InterruptedException {
    QueuedEntry first =
        isClosing() ? backlog.poll() : backlog.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    batch.add(first);
    if (backlog.size() < AT_ONCE) {
      closing.await(GATHERED.toMillis(), TimeUnit.MILLISECONDS);
    }
    backlog.drainTo(batch, AT_ONCE - 1);
    batchSize = batch.size();
  }

  private void encode() {
    lines.clear();
    for (QueuedEntry noted : batch) {
      addLossLine(noted.entry.at(), noted.missing);
      encode(noted.entry);
    }
    if (backlog.isEmpty()) { // all losses so far happened after the entries of this batch
      addLossLine(Instant.now(), unreportedLosses.getAndSet(0));
    }
  }

  private void encode(AuditEntry entry) {
    int before = lines.size();
    try {
      lines.add(AuditLine.of(entry));
    } catch (RuntimeException bug) { // an entry that cannot be encoded must not block the others
      lines.cutTo(before);
      lose(1, "encoding failed: " + bug);
    }
  }

  private void addLossLine(Instant at, long missing) {
    if (missing > 0) {
      lines.add(AuditLine.ofLoss(at, missing, lastLoss));
    }
  }

  private void writeOut() throws InterruptedException {
    boolean last = isClosing();
    while (lines.size() > 0 && !write()) {
      if (last) {
        dropBatch();
      } else {
        last = closing.await(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private boolean write() {
    try {
      lines.writeTo(out);
      lines.clear();
      written.add(batch.size());
      problem = "";
      return true;
    } catch (IOException | RuntimeException why) {
      problem = String.valueOf(why.getMessage());
      warn(() ->
          "audit log %s: write failed: %s; retrying, up to %s lines are queued meanwhile"
              .formatted(target, problem, BACKLOG));
      return false;
    }
  }

  private void dropBatch() {
    lines.clear();
    lost.add(batch.size());
  }

  public void close() throws InterruptedException {
    long before = lost.sum();
    closing.countDown();
    if (!thread.join(LAST_WORDS)) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
    lost.add(batchSize + backlog.drainTo(new ArrayList<>()));
    long left = lost.sum() - before;
    if (left > 0) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s lines of the audit log %s were not written before the process stopped: %s"
                  .formatted(left, target, problem.isEmpty() ? "the write is blocked" : problem));
    }
    try {
      out.close();
    } catch (IOException why) {
      LOG.log(Level.WARNING, () -> "audit log " + target + ": close failed: " + why.getMessage());
    }
  }
}
