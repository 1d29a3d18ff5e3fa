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
  private static final int MAX_BACKLOG = 8192;
  private static final int MAX_BATCH = 512;
  private static final String QUEUE_FULL = MAX_BACKLOG + " entries are queued already";

  // Time to collect a batch. Writing each line separately would slow down the controllers.
  private static final Duration BATCH_DELAY = Duration.ofMillis(100);

  private static final Duration IDLE = Duration.ofMillis(200);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);
  private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  public record Config(String target, long maxBytes, int maxFiles) {}

  private record QueuedEntry(AuditEntry entry, long lostBefore) {}

  private final String target;
  private final OutputStream out;
  private final BlockingQueue<QueuedEntry> backlog = new ArrayBlockingQueue<>(MAX_BACKLOG);
  private final LongAdder writtenLines = new LongAdder();
  private final LongAdder lostLines = new LongAdder();
  private final AtomicLong unreportedLosses = new AtomicLong();
  private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile String problem = "";
  private volatile String lastLoss = "";
  private volatile int batchSize;

  // confined to the writing thread
  private final List<QueuedEntry> batch = new ArrayList<>(MAX_BATCH);
  private final LineWriter lines = new LineWriter();

  public AuditLog(String target, OutputStream out) {
    this.target = target;
    this.out = out;
    // file I/O would block carrier threads of virtual threads, which the controllers need
    this.thread =
        VitalThreads.start(AuditLog::newPlatformThread, "audit", this::isClosing, this::loop);
  }

  public static AuditLog open(Config config) throws IOException {
    if (config.target().equals(STANDARD_OUTPUT)) {
      return new AuditLog("standard output", new StandardOutput());
    }
    try {
      return new AuditLog(
          config.target(),
          new RotatingFile(
              Path.of(config.target()).toAbsolutePath(), config.maxBytes(), config.maxFiles()));
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "--audit-log " + config.target() + " cannot be written: " + describe(e), e);
    }
  }

  private static String describe(Exception e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such directory";
      case AccessDeniedException _ -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static Thread newPlatformThread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  @Override
  public void record(AuditEntry entry) {
    long lostBefore = unreportedLosses.get() == 0 ? 0 : unreportedLosses.getAndSet(0);
    if (isClosing() || !backlog.offer(new QueuedEntry(entry, lostBefore))) {
      unreportedLosses.addAndGet(lostBefore);
      recordLoss(1, isClosing() ? "the process is stopping" : QUEUE_FULL);
    }
  }

  private void recordLoss(int entries, String cause) {
    unreportedLosses.addAndGet(entries);
    lostLines.add(entries);
    String fullCause = problem.isEmpty() ? cause : cause + ": " + problem;
    lastLoss = fullCause;
    warn(() ->
        lostLines.sum()
            + " lines of the audit log "
            + target
            + " were lost; last cause: "
            + fullCause);
  }

  private void warn(Supplier<String> message) {
    long nextAllowed = nextWarning.get();
    long now = System.nanoTime();
    if (now - nextAllowed >= 0
        && nextWarning.compareAndSet(nextAllowed, now + WARNING_INTERVAL.toNanos())) {
      LOG.log(Level.WARNING, message);
    }
  }

  public long writtenLines() {
    return writtenLines.sum();
  }

  public long lostLines() {
    return lostLines.sum();
  }

  @Override
  public void addTo(MetricFamilies families) {
    families.counter(
        "mooring_audit_lines_written", "Number of audit log lines written.", writtenLines.sum());
    families.counter(
        "mooring_audit_lines_lost",
        "Number of audit log lines lost: queue full, or write failed.",
        lostLines.sum());
  }

  private void loop() {
    boolean isRunning = true;
    while (isRunning) {
      try {
        collectBatch();
        isRunning = !isClosing() || !batch.isEmpty();
        encodeBatch();
        writeOut();
        batch.clear();
        batchSize = 0;
      } catch (InterruptedException interrupted) {
        isRunning = !isClosing();
      }
    }
  }

  private void collectBatch() throws InterruptedException {
    QueuedEntry first =
        isClosing() ? backlog.poll() : backlog.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    batch.add(first);
    if (backlog.size() < MAX_BATCH) {
      closing.await(BATCH_DELAY.toMillis(), TimeUnit.MILLISECONDS);
    }
    backlog.drainTo(batch, MAX_BATCH - 1);
    batchSize = batch.size();
  }

  private void encodeBatch() {
    lines.clear();
    for (QueuedEntry queued : batch) {
      addLossLine(queued.entry.endTime(), queued.lostBefore);
      encode(queued.entry);
    }
    if (backlog.isEmpty()) { // all losses so far happened after the entries of this batch
      addLossLine(Instant.now(), unreportedLosses.getAndSet(0));
    }
  }

  private void encode(AuditEntry entry) {
    int sizeBefore = lines.size();
    try {
      lines.add(AuditLine.of(entry));
    } catch (RuntimeException bug) { // an entry that cannot be encoded must not block the others
      lines.cutTo(sizeBefore);
      recordLoss(1, "encoding failed: " + bug);
    }
  }

  private void addLossLine(Instant time, long lost) {
    if (lost > 0) {
      lines.add(AuditLine.ofLoss(time, lost, lastLoss));
    }
  }

  private void writeOut() throws InterruptedException {
    boolean isLastTry = isClosing();
    while (lines.size() > 0 && !write()) {
      if (isLastTry) {
        dropBatch();
      } else {
        isLastTry = closing.await(RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private boolean write() {
    try {
      lines.writeTo(out);
      lines.clear();
      writtenLines.add(batch.size());
      problem = "";
      return true;
    } catch (IOException | RuntimeException e) {
      problem = String.valueOf(e.getMessage());
      warn(() ->
          "audit log %s: write failed: %s; retrying, up to %s lines are queued meanwhile"
              .formatted(target, problem, MAX_BACKLOG));
      return false;
    }
  }

  private void dropBatch() {
    lines.clear();
    lostLines.add(batch.size());
  }

  public void close() throws InterruptedException {
    long lostBefore = lostLines.sum();
    closing.countDown();
    if (!thread.join(CLOSE_TIMEOUT)) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
    lostLines.add(batchSize + backlog.drainTo(new ArrayList<>()));
    long unwritten = lostLines.sum() - lostBefore;
    if (unwritten > 0) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s lines of the audit log %s were not written before the process stopped: %s"
                  .formatted(
                      unwritten, target, problem.isEmpty() ? "the write is blocked" : problem));
    }
    try {
      out.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, () -> "audit log " + target + ": close failed: " + e.getMessage());
    }
  }
}
