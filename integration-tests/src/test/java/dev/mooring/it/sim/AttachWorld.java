package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.it.sim.SimNodes.At;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * One seeded schedule of pods that come, go and move, kubelets that are slow or dead, a driver that
 * fails, lags and lies, and a controller that crashes. After every step no exclusive volume may be
 * on two nodes, but where one was taken by force on record.
 */
final class AttachWorld implements Outside, Schedules.Schedule {
  private static final int STEPS = 500;

  /** So much time goes by where nothing happens. */
  private static final long IDLE_NANOS = 50_000_000;

  private long asked; // requests so far
  private String lastAsked = "";
  private final Random random;
  private final SimScheduler scheduler = new SimScheduler();
  private final SimClock clock = new SimClock(scheduler);
  private final SimServer server;
  private final History history = new History(150);
  private final AttachOthers others;
  private final Trouble trouble;
  private final boolean faulty;
  private final boolean takeovers;
  private final boolean outages;
  private final Late late;
  private final boolean large;
  private AttachProcess process;
  private AttachProcess standby; // null where there is none; nothing tells it anything
  private int forcedDetaches;
  private boolean out;

  AttachWorld(long seed) {
    random = new Random(seed);
    server = new SimServer(random, clock);
    others = new AttachOthers(random, server, removedBy(seed), this::note);
    faulty = seed >= Schedules.FAULTY && seed < Schedules.TAKEOVERS;
    trouble = new Trouble(random, clock, () -> process.watches(), this::note);
    takeovers = seed >= Schedules.TAKEOVERS && seed < Schedules.OUTAGES;
    outages = seed >= Schedules.OUTAGES && seed < Schedules.LATE;
    late = new Late(random, seed, this::note);
    large = seed % 2 == 0;
    process = new AttachProcess(this, server, large).begin();
    standBy();
  }

  private void standBy() {
    standby = takeovers ? new AttachProcess(this, server, large) : null;
  }

  SimScheduler scheduler() {
    return scheduler;
  }

  SimClock clock() {
    return clock;
  }

  @Override
  public void point() {
    scheduler.point();
  }

  @Override
  public Fault fault() {
    return Fault.of(others.isCalm() ? 99 : random.nextInt(100), faulty);
  }

  @Override
  public boolean isOut() {
    return out;
  }

  @Override
  public void asked(String what) {
    asked++;
    lastAsked = what;
  }

  @Override
  public <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    // without times: deletions bear those of the wall clock
    if (result instanceof WriteResult.Written<T>(T now) && now instanceof Attachment attachment) {
      note(
          "write: attachment of "
              + attachment.volumeName()
              + " to "
              + attachment.nodeName()
              + (attachment.meta().isBeingDeleted() ? ", deleted" : ""));
    } else if (result instanceof WriteResult.Written<T>(T now) && now instanceof Node node) {
      note(
          "write: "
              + node.meta().name()
              + " lists "
              + new TreeSet<>(node.volumesAttached().keySet()));
    }
  }

  /** What the controller tells. */
  void event(ClusterEvent event) {
    note("event: " + event.about().name() + " " + event.reason() + " " + event.note());
    if (event.reason().equals("VolumeForceDetached")) {
      for (int i = 0; i < AttachOthers.VOLUMES; i++) {
        if (event.note().contains("^h" + i + " ")) {
          forcedDetaches++;
          others.takenByForce(event.about().name(), "h" + i);
        }
      }
    }
  }

  int mounts() {
    return others.mounts();
  }

  int forcedDetaches() {
    return forcedDetaches;
  }

  @Override
  public String history() {
    return history.toString();
  }

  private void note(String what) {
    history.note(clock.now() / 1_000_000 + " " + what);
  }

  @Override
  public void underWay(Runnable write) {
    late.underWay(write);
  }

  @Override
  public void givenUp(Runnable write) {
    late.givenUp(write);
  }

  @Override
  public void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      late.perhaps();
      others.check();
    }
    settle();
    if (others.removesAttachments()) {
      // of two nodes that use a volume whose attachments were removed neither may give way to the
      // other, because both may have it mounted: then pods have to go
      others.deletePods();
      settle();
    }
    checkEnd();
    process.end();
    if (standby != null) {
      standby.end();
    }
  }

  private void step() {
    if (faulty) {
      if (random.nextInt(100) < 3) {
        trouble.happen();
      }
      trouble.notice();
    }
    if (late.any() && random.nextInt(100) < 2) {
      crash();
    }
    int what = random.nextInt(1000);
    if (what < 520) {
      resumeOne();
    } else if (what < 740) {
      any(process.watches()).deliver();
    } else if (what < 830) {
      others.kubelet("n" + random.nextInt(AttachOthers.NODES));
    } else if (what < 900) {
      others.driver().act();
    } else if (what < 945) {
      others.user();
    } else if (what < 975) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * 1_000_000L);
    } else if (what < 985) {
      others.node("n" + random.nextInt(AttachOthers.NODES));
    } else if (what < 990) {
      any(process.watches()).gap();
    } else if (what < 994) {
      crash();
    } else {
      others.meddle();
    }
  }

  private static AttachOthers.Removed removedBy(long seed) {
    if (seed >= Schedules.LATE_AND_REMOVED && seed < Schedules.GIVEN_UP) {
      return AttachOthers.Removed.ATTACHMENTS_UNDER_WAY;
    }
    if (seed >= Schedules.LATE) {
      return AttachOthers.Removed.VOLUMES;
    }
    if (seed < Schedules.WIDE || seed >= Schedules.TAKEOVERS) {
      return AttachOthers.Removed.NOTHING;
    }
    return seed % 2 == 0 ? AttachOthers.Removed.NODES : AttachOthers.Removed.ATTACHMENTS;
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private boolean resumeOne() {
    return scheduler.resumeAny(random, clock.now());
  }

  private void crash() {
    note("crash");
    process.end();
    process = standby == null ? new AttachProcess(this, server, large).begin() : standby.takeOver();
    standBy();
  }

  /** All is well, nobody does anything any more: until nothing happens. */
  private void settle() {
    others.calm();
    trouble.end();
    if (late.any()) {
      drain();
      late.all();
    }
    long recovered = outages ? outage() : 0;
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      verify(round < 100, "does not come to rest: " + lastAsked);
      long before = server.store(Kind.NODE).version();
      long askedBefore = asked;
      drain();
      clock.advance(130_000_000_000L);
      drain();
      boolean still = server.store(Kind.NODE).version() == before && asked == askedBefore;
      quiet = still ? quiet + 1 : 0;
    }
    verify(
        !outages || server.store(Kind.NODE).version() == recovered,
        "what the outage held up was done long after it");
  }

  /**
   * The server is out for long, and back.
   *
   * @return the server's version soon after that: the last one
   */
  private long outage() {
    note("outage");
    out = true;
    for (int i = 0; i < 10; i++) {
      others.user();
    }
    elapse(Schedules.OUTAGE_NANOS, 1_000_000_000);
    out = false;
    note("the server is back");
    elapse(Schedules.RECOVERY_NANOS, IDLE_NANOS);
    return server.store(Kind.NODE).version();
  }

  private void elapse(long nanos, long step) {
    long end = clock.now() + nanos;
    while (clock.now() < end) {
      if (!turn()) {
        clock.advance(step);
      }
    }
  }

  private void drain() {
    for (int round = 0, idle = 0; idle < 30; round++) {
      verify(round < 20_000, "work without end");
      boolean some = turn();
      if (!some) {
        clock.advance(IDLE_NANOS);
      }
      idle = some || process.hasWork() ? 0 : idle + 1;
    }
  }

  /** Everybody does something; whether anything came of it. */
  private boolean turn() {
    long before = server.store(Kind.NODE).version();
    boolean some = resumeOne();
    for (SimWatch<?> watch : process.watches()) {
      while (watch.deliver()) {
        some = true;
      }
    }
    others.kubelet("n" + random.nextInt(AttachOthers.NODES));
    others.driver().act();
    others.check();
    some |= server.store(Kind.NODE).version() != before;
    return some;
  }

  /** What pods use is where they run, and nothing is anywhere else. */
  private void checkEnd() {
    Set<At> published = others.driver().published();
    Set<At> mounted = others.mounted();
    Set<At> wanted = new HashSet<>();
    for (Pod pod : server.all(Kind.POD)) {
      wanted.add(new At(pod.nodeName(), AttachOthers.handle(pod)));
    }
    Set<At> attached = new HashSet<>();
    for (Attachment attachment : server.all(Kind.ATTACHMENT)) {
      At at = new At(attachment.nodeName(), "h" + attachment.volumeName().substring(1));
      if (!isInVain(attachment, at, wanted)) {
        verify(attachment.attached() && !attachment.meta().isBeingDeleted(), "left: " + attachment);
        attached.add(at);
      }
    }
    verify(attached.equals(published), "attached " + attached + ", published " + published);
    verify(wanted.containsAll(attached), "dangling: " + attached + ", wanted " + wanted);
    verify(mounted.equals(attached), "mounted " + mounted + ", attached " + attached);
    for (At at : wanted) {
      boolean there =
          AttachOthers.isShared(at.handle())
              ? attached.contains(at)
              : attached.stream().anyMatch(a -> a.handle().equals(at.handle()));
      verify(there, at + " waits, attached are " + attached);
    }
    listed(attached);
  }

  /**
   * A write of a process that is gone asked for a volume that another node has, and the node says
   * that it uses it, as a kubelet does before it mounts: nobody can know that it does not, and a
   * pod there waits for just that. The attachment is left until one of the two pods goes.
   */
  private boolean isInVain(Attachment attachment, At at, Set<At> wanted) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(at.node()));
    return !attachment.attached()
        && !attachment.meta().isBeingDeleted()
        && wanted.contains(at)
        && others.driver().isElsewhere(at)
        && node != null
        && node.volumesInUse().contains(AttachOthers.unique(at.handle()));
  }

  private void listed(Set<At> attached) {
    for (Node node : server.all(Kind.NODE)) {
      Set<String> expected = new TreeSet<>();
      Set<String> listed = new TreeSet<>(node.volumesAttached().keySet());
      listed.removeIf(name -> name.startsWith("nonsense/")); // no plugin is there that could say
      attached.stream()
          .filter(at -> at.node().equals(node.meta().name()))
          .forEach(at -> expected.add(AttachOthers.unique(at.handle())));
      verify(expected.equals(listed), node + " ought to list " + expected);
    }
  }
}
