package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
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
 * Writes entries as JSON lines, on a thread of its own, which makes the JSON too. Entries wait in a
 * bounded queue. What cannot be written is kept there, and tried again until it can be; only what
 * finds the queue full is lost, counted, told in the process's own log at once, and in this log
 * where it is missing. Nobody waits for the disk: volumes would not be bound any more because a
 * disk for logs is full. Thread-safe.
 */
public final class AuditLog implements AuditSink {
  /** Writes to standard output, which is not rotated. */
  public static final String STANDARD_OUTPUT = "-";

  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final int BACKLOG = 8192;
  private static final int AT_ONCE = 512;
  private static final String FULL = BACKLOG + " were waiting already";

  /** To write each line for itself costs those who bind a part of their processors. */
  private static final Duration GATHERED = Duration.ofMillis(100);

  private static final Duration IDLE = Duration.ofMillis(200);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  /**
   * Where it is written.
   *
   * @param target a file's name, or {@link #STANDARD_OUTPUT}
   * @param mostBytes how large a file may become, positive
   * @param mostFiles how many files there may be, at least 1
   */
  public record Config(String target, long mostBytes, int mostFiles) {}

  /** An entry, and how many are missing before it. */
  private record Noted(AuditEntry entry, long missing) {}

  private final String target;
  private final OutputStream out;
  private final BlockingQueue<Noted> backlog = new ArrayBlockingQueue<>(BACKLOG);
  private final LongAdder written = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final AtomicLong unsaid = new AtomicLong();
  private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile String problem = "";
  private volatile String lastLoss = "";
  private volatile int inHand;

  // of the writing thread
  private final List<Noted> batch = new ArrayList<>(AT_ONCE);
  private final LineWriter lines = new LineWriter();

  /** One that writes there at once, and closes it at its end. */
  public AuditLog(String target, OutputStream out) {
    this.target = target;
    this.out = out;
    // files block the thread that a virtual one is carried by, which controllers need
    this.thread = VitalThreads.start(AuditLog::platform, "audit", this::isClosing, this::loop);
  }

  /**
   * Opens it.
   *
   * @throws IOException if it cannot be written; the message names the flag, the file and why
   */
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
      case NoSuchFileException _ -> "there is no such directory";
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
    long missing = unsaid.get() == 0 ? 0 : unsaid.getAndSet(0);
    if (isClosing() || !backlog.offer(new Noted(entry, missing))) {
      unsaid.addAndGet(missing);
      lose(1, isClosing() ? "the process ends" : FULL);
    }
  }

  private void lose(int entries, String why) {
    unsaid.addAndGet(entries);
    lost.add(entries);
    String because = problem.isEmpty() ? why : why + ": " + problem;
    lastLoss = because;
    warn(() ->
        lost.sum() + " lines of the audit log " + target + " were lost; the last ones: " + because);
  }

  private void warn(Supplier<String> what) {
    long due = nextWarning.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextWarning.compareAndSet(due, now + BETWEEN_WARNINGS.toNanos())) {
      LOG.log(Level.WARNING, what);
    }
  }

  /** Lines that were written. */
  public long written() {
    return written.sum();
  }

  /** Lines that were not: too many waited already. */
  public long lost() {
    return lost.sum();
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
        inHand = 0;
      } catch (InterruptedException interrupted) {
        more = !isClosing();
      }
    }
  }

  private void gather() throws InterruptedException {
    Noted first =
        isClosing() ? backlog.poll() : backlog.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    batch.add(first);
    if (backlog.size() < AT_ONCE) {
      closing.await(GATHERED.toMillis(), TimeUnit.MILLISECONDS);
    }
    backlog.drainTo(batch, AT_ONCE - 1);
    inHand = batch.size();
  }

  private void encode() {
    lines.clear();
    for (Noted noted : batch) {
      sayLoss(noted.entry.at(), noted.missing);
      encode(noted.entry);
    }
    if (backlog.isEmpty()) { // whatever was lost came after all that has been taken
      sayLoss(Instant.now(), unsaid.getAndSet(0));
    }
  }

  private void encode(AuditEntry entry) {
    int before = lines.size();
    try {
      lines.add(AuditLine.of(entry));
    } catch (RuntimeException bug) { // one that has no form must not keep the others back
      lines.cutTo(before);
      lose(1, "one has no form: " + bug);
    }
  }

  private void sayLoss(Instant at, long missing) {
    if (missing > 0) {
      lines.add(AuditLine.ofLoss(at, missing, lastLoss));
    }
  }

  /** Again and again until it is written, and once when this log ends. */
  private void writeOut() throws InterruptedException {
    boolean last = isClosing();
    while (lines.size() > 0 && !write()) {
      if (last) {
        giveUp();
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
          "the audit log "
              + target
              + " cannot be written: "
              + problem
              + "; it is tried again, and up to "
              + BACKLOG
              + " lines wait meanwhile");
      return false;
    }
  }

  private void giveUp() {
    lines.clear();
    lost.add(batch.size());
  }

  /** Takes nothing new, writes what is left, for a moment, and ends. */
  public void close() throws InterruptedException {
    long before = lost.sum();
    closing.countDown();
    if (!thread.join(LAST_WORDS)) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
    lost.add(inHand + backlog.drainTo(new ArrayList<>()));
    long left = lost.sum() - before;
    if (left > 0) {
      LOG.log(
          Level.WARNING,
          () ->
              left
                  + " lines of the audit log "
                  + target
                  + " were not written before the end: "
                  + (problem.isEmpty() ? "it does not answer" : problem));
    }
    try {
      out.close();
    } catch (IOException why) {
      LOG.log(
          Level.WARNING, () -> "audit log " + target + " cannot be closed: " + why.getMessage());
    }
  }
}
