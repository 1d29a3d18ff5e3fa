package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.thread.VitalThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes entries as JSON lines, on a thread of its own. Entries wait in a bounded queue; what finds
 * it full, and what cannot be written, is lost, counted, and said in the log itself as soon as it
 * can be. Nobody waits for the disk. Thread-safe.
 */
public final class AuditLog implements AuditSink {
  /** Writes to standard output, which is not rotated. */
  public static final String STANDARD_OUTPUT = "-";

  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final int BACKLOG = 8192;
  private static final int AT_ONCE = 512;

  /** To write each line for itself costs those who bind a part of their processors. */
  private static final Duration GATHERED = Duration.ofMillis(100);

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

  private final String target;
  private final OutputStream out;
  private final BlockingQueue<AuditEntry> backlog = new ArrayBlockingQueue<>(BACKLOG);
  private final LongAdder written = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private volatile boolean running = true;
  private final Thread thread;

  // of the writing thread
  private long saidLost;
  private String problem = BACKLOG + " were waiting already";
  private Instant lastWarning = Instant.MIN;

  /** One that writes there at once, and closes it at its end. */
  public AuditLog(String target, OutputStream out) {
    this.target = target;
    this.out = out;
    // files block the thread that a virtual one is carried by, which controllers need
    this.thread = VitalThreads.start(AuditLog::platform, "audit", () -> !running, this::loop);
  }

  /**
   * Opens it.
   *
   * @throws IOException if it cannot be written; the message names the flag, the file and why
   */
  public static AuditLog open(Config config) throws IOException {
    if (config.target().equals(STANDARD_OUTPUT)) {
      return new AuditLog("standard output", new Kept(System.out));
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

  /** What others need after it has been closed here. */
  private static final class Kept extends OutputStream {
    private final OutputStream of;

    Kept(OutputStream of) {
      this.of = of;
    }

    @Override
    public void write(int one) throws IOException {
      of.write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      of.write(bytes, from, length);
      of.flush();
    }
  }

  @Override
  public void note(AuditEntry entry) {
    if (!running || !backlog.offer(entry)) {
      lost.increment();
    }
  }

  /** Lines that were written. */
  public long written() {
    return written.sum();
  }

  /** Lines that were not: too many at once, or the file could not be written. */
  public long lost() {
    return lost.sum();
  }

  private static Thread platform(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }

  private void loop() {
    List<AuditEntry> batch = new ArrayList<>();
    while (running || !backlog.isEmpty()) {
      try {
        AuditEntry first = backlog.poll(200, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          if (running && backlog.size() < AT_ONCE) {
            Thread.sleep(GATHERED);
          }
          backlog.drainTo(batch, AT_ONCE - 1);
        }
        write(batch);
        batch.clear();
      } catch (InterruptedException interrupted) {
        if (!running) {
          return;
        }
      }
    }
  }

  private void write(List<AuditEntry> batch) {
    try {
      sayLoss();
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      for (AuditEntry entry : batch) {
        lines.writeBytes(bytes(AuditLine.of(entry)));
      }
      out.write(lines.toByteArray());
      written.add(batch.size());
    } catch (IOException | RuntimeException why) {
      lost.add(batch.size());
      problem = String.valueOf(why.getMessage());
      warn();
    }
  }

  private static byte[] bytes(AuditLine line) {
    return (line.json() + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private void sayLoss() throws IOException {
    long missing = lost.sum() - saidLost;
    if (missing > 0) {
      warn();
      out.write(bytes(AuditLine.ofLoss(Instant.now(), missing, problem)));
      saidLost += missing;
    }
  }

  private void warn() {
    Instant now = Instant.now();
    if (lastWarning.equals(Instant.MIN)
        || Duration.between(lastWarning, now).compareTo(BETWEEN_WARNINGS) > 0) {
      lastWarning = now;
      long all = lost.sum();
      LOG.log(
          Level.WARNING,
          () ->
              all + " lines of the audit log " + target + " were lost; the last ones: " + problem);
    }
  }

  /** Takes nothing new, writes what is left, for a moment, and ends. */
  public void close() throws InterruptedException {
    running = false;
    if (!thread.join(LAST_WORDS)) {
      thread.interrupt();
      thread.join(Duration.ofSeconds(1));
    }
    try {
      out.close();
    } catch (IOException why) {
      LOG.log(
          Level.WARNING, () -> "audit log " + target + " cannot be closed: " + why.getMessage());
    }
  }
}
