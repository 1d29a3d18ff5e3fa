package dev.mooring.it.scenario;

import dev.mooring.it.RehearsingReplica;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.shadow.ElectionRehearsal;
import dev.mooring.manager.shadow.ShadowText;
import dev.mooring.testkit.TestWait;
import dev.mooring.text.TextTable;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Runs a replica with {@code --rehearse=10m} in this process. Its clock advances on request. */
public final class RehearsedUpgrade implements RehearsingReplica {
  private final Path kubeconfig;
  private final AdvancedTime time = new AdvancedTime();
  private volatile ControllerManager manager;
  private volatile ElectionRehearsal rehearsal;
  private volatile String shownState = "";
  private volatile Thread thread;

  public RehearsedUpgrade(Path kubeconfig) {
    this.kubeconfig = kubeconfig;
  }

  @Override
  public void start(List<String> flags) throws Exception {
    List<String> allFlags =
        new ArrayList<>(
            List.of(
                "--compat=kcm",
                "--enable-hostpath-provisioner=true",
                "--endpoints=off",
                "--rehearse=10m"));
    allFlags.addAll(flags);
    manager = RunFlags.manager(allFlags, Resources.plugins(), connect());
    rehearsal = RunFlags.rehearsal(allFlags, Resources.plugins(), connect(), time);
    manager.onServer(showState ->
        rehearsal.run(state -> {
          shownState = state;
          showState.accept(state);
        }));
    thread = Thread.ofVirtual().name("upgrade").start(this::run);
    TestWait.until("rehearsal", () -> shownState.startsWith("rehearsing for another "));
  }

  private KubeConnection connect() throws Exception {
    return KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-upgrade");
  }

  private void run() {
    try {
      manager.start();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean isIdle() {
    ElectionRehearsal current = rehearsal;
    return current == null || current.isIdle();
  }

  @Override
  public String finish(Duration advanced) {
    time.advance(advanced);
    TestWait.until(
        "end of the rehearsal", () -> rehearsal.state() != ElectionRehearsal.State.REHEARSING);
    return rehearsal.state() == ElectionRehearsal.State.PASSED
        ? "passed"
        : rehearsal.state() + "\n" + ShadowText.format(rehearsal.report(), TextTable.UNLIMITED);
  }

  @Override
  public void awaitLeadership() throws Exception {
    thread.join();
  }

  @Override
  public void stop() throws Exception {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
      running.join();
      manager.stop();
    }
  }

  /** The system's clock, advanced. */
  private static final class AdvancedTime implements Time {
    private final SystemTime system = new SystemTime();
    private final AtomicLong advanced = new AtomicLong();

    void advance(Duration duration) {
      advanced.addAndGet(duration.toNanos());
    }

    @Override
    public long nanos() {
      return system.nanos() + advanced.get();
    }

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      system.sleep(duration);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
      return system.schedule(delay, task);
    }
  }
}
