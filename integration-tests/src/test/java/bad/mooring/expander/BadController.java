package bad.mooring.expander;

import dev.mooring.informer.Informer;
import dev.mooring.reconcile.Controller;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** R4: runs itself, with its own ports and caches. */
public class BadController implements Controller {
  public record Ports(Duration patience) {}

  public record Informers(Informer<?> pods) {}

  private final AtomicBoolean running = new AtomicBoolean();

  @Override
  public String name() {
    return "bad";
  }

  @Override
  public List<Informer<?>> reads() {
    return List.of();
  }

  @Override
  public void start() {
    running.set(true);
    Thread.ofVirtual().start(() -> running.set(false));
  }

  @Override
  public boolean stop(Duration grace) {
    return running.getAndSet(false);
  }

  @Override
  public boolean isIdle() {
    return !running.get();
  }

  @Override
  public List<QueueStats> queueStats() {
    return List.of();
  }
}
