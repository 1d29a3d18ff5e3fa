package dev.mooring.it.sim;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One seeded schedule of a small cluster: users, caches that lag, a server that errs and whose
 * errors may have done their work, processes that crash between any two writes, two of them at
 * once. What must never happen is checked at every write; what must be in the end, when all is
 * quiet.
 */
final class World implements Outside, Schedules.Schedule {
  private static final int STEPS = 400;
  private static final int CLAIMS = 6;
  private static final int VOLUMES = 6;
  private static final List<String> NODES = List.of("n1", "n2");
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private final Random random;
  private final Baton baton = new Baton();
  private final SimClock clock = new SimClock(baton);
  private final SimServer server;
  private final SimStorage storage = new SimStorage(this);
  private final List<Process> processes = new ArrayList<>();
  private final Set<Process> crashed = new HashSet<>();
  private final Deque<String> history = new ArrayDeque<>();
  private final boolean wide;
  private boolean calm;

  World(long seed) {
    wide = seed >= Schedules.WIDE;
    random = new Random(seed);
    server = new SimServer(random, clock);
    server.create(
        Kind.STORAGE_CLASS,
        "",
        "{'metadata':{'name':'made'},'provisioner':'"
            + SimStorage.NAME
            + "','reclaimPolicy':'Delete'}");
    server.create(
        Kind.STORAGE_CLASS,
        "",
        "{'metadata':{'name':'kept'},'provisioner':'"
            + SimStorage.NAME
            + "','reclaimPolicy':'Retain'}");
    if (wide) {
      NODES.forEach(this::addNode);
      server.create(
          Kind.STORAGE_CLASS,
          "",
          "{'metadata':{'name':'later'},'volumeBindingMode':'WaitForFirstConsumer','provisioner':'"
              + SimStorage.NAME
              + "','reclaimPolicy':'Delete'}");
    }
    for (int i = 0; i < 3; i++) {
      user();
    }
    processes.add(new Process(this, server, storage));
  }

  private void addNode(String name) {
    server.create(Kind.NODE, "", "{'metadata':{'name':'" + name + "'}}");
  }

  /** Whether there are any, which come and go. */
  boolean hasNodes() {
    return wide;
  }

  Baton baton() {
    return baton;
  }

  SimClock clock() {
    return clock;
  }

  @Override
  public void point() {
    baton.point();
  }

  @Override
  public Fault fault() {
    int chance = calm ? 99 : random.nextInt(100);
    return chance < 3 ? Fault.LOST : chance < 6 ? Fault.ANSWER_LOST : Fault.NONE;
  }

  @Override
  public String history() {
    return String.join("\n", history);
  }

  private void note(String what) {
    history.addLast(what);
    if (history.size() > 120) {
      history.removeFirst();
    }
  }

  @Override
  public void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
    }
    settle();
    checkEnd();
    processes.forEach(Process::end);
  }

  private void step() {
    int what = random.nextInt(1000);
    if (what < 440) {
      resumeOne();
    } else if (what < 700) {
      deliverOne();
    } else if (what < 880) {
      any(processes).work(random.nextInt(2) == 0);
    } else if (what < 940) {
      user();
    } else if (what < 960) {
      protector();
    } else if (what < 975) {
      clock.advance(random.nextInt(3_000) * 1_000_000L);
    } else if (what < 980) {
      any(any(processes).watches()).gap();
    } else if (what < 984) {
      any(processes).resync();
    } else if (what < 992) {
      crash();
    } else if (processes.size() < 2) {
      note("a second process");
      processes.add(new Process(this, server, storage));
    } else {
      end(processes.getFirst());
    }
    processes.forEach(Process::judgeClaimsIfVolumesAreDone);
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private boolean resumeOne() {
    List<Baton.Task> ready = baton.ready(clock.now());
    if (ready.isEmpty()) {
      return false;
    }
    baton.resume(any(ready));
    return true;
  }

  private boolean deliverOne() {
    return any(any(processes).watches()).deliver();
  }

  private void crash() {
    Process process = any(processes);
    note("crash");
    crashed.add(process);
    end(process);
  }

  private void end(Process process) {
    process.end();
    crashed.add(process);
    processes.remove(process);
    if (processes.isEmpty()) {
      processes.add(new Process(this, server, storage));
    }
  }

  private void user() {
    String volume = "v" + random.nextInt(VOLUMES);
    String claim = "c" + random.nextInt(CLAIMS);
    int size = 1 + random.nextInt(4);
    switch (random.nextInt(wide ? 16 : 9)) {
      case 0, 1 -> {
        note("user: volume " + volume + " " + size + "Gi");
        server.create(
            Kind.VOLUME,
            "",
            "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%dGi'},'accessModes':['ReadWriteOnce'],'nfs':{'server':'s','path':'/'}%s}}"
                .formatted(
                    volume,
                    size,
                    random.nextInt(4) == 0
                        ? ",'claimRef':{'namespace':'ns','name':'" + claim + "'}"
                        : ""));
      }
      case 2, 3 -> {
        note("user: claim " + claim + " " + size + "Gi");
        server.create(
            Kind.CLAIM,
            "ns",
            "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'','resources':{'requests':{'storage':'%dGi'}}%s}}"
                .formatted(
                    claim, size, random.nextInt(5) == 0 ? ",'volumeName':'" + volume + "'" : ""));
      }
      case 4, 5 -> {
        note("user: claim " + claim + " of a class");
        server.create(
            Kind.CLAIM,
            "ns",
            "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s','resources':{'requests':{'storage':'%dGi'}}}}"
                .formatted(claim, random.nextBoolean() ? "made" : wide ? "later" : "kept", size));
      }
      case 6 -> {
        note("user: delete claim " + claim);
        server.delete(Kind.CLAIM, ObjectKey.of("ns", claim));
      }
      case 7 -> {
        note("user: delete volume " + volume);
        server.delete(Kind.VOLUME, ObjectKey.cluster(volume));
      }
      case 8 -> {
        note("user: label on " + volume + " and " + claim);
        String label = "{'metadata':{'labels':{'n':'" + random.nextInt(100) + "'}}}";
        server.change(Kind.VOLUME, ObjectKey.cluster(volume), label);
        server.change(Kind.CLAIM, ObjectKey.of("ns", claim), label);
      }
      case 9, 10 -> {
        note("user: scheduler chooses or drops a node for " + claim);
        String node = random.nextInt(3) == 0 ? "null" : "'" + any(NODES) + "'";
        server.change(
            Kind.CLAIM,
            ObjectKey.of("ns", claim),
            "{'metadata':{'annotations':{'" + SELECTED_NODE + "':" + node + "}}}");
      }
      case 11, 12 -> {
        String node = any(NODES);
        note("user: node " + node + " goes or comes");
        if (server.find(Kind.NODE, ObjectKey.cluster(node)) == null) {
          addNode(node);
        } else {
          server.delete(Kind.NODE, ObjectKey.cluster(node));
        }
      }
      default -> {
        List<Volume> all = server.all(Kind.VOLUME);
        if (!all.isEmpty()) {
          admin(any(all), random.nextInt(3));
        }
      }
    }
  }

  /** What administrators do to volumes that they want to keep, or to use again. */
  private void admin(Volume volume, int what) {
    ClaimRef ref = volume.claimRef();
    if (what == 0 && !isAwaited(volume)) {
      note("user: " + volume.key() + " forgets " + ref);
      server.change(Kind.VOLUME, volume.key(), "{'spec':{'claimRef':null}}");
    } else if (what == 1 && ref != null) {
      note("user: " + volume.key() + " forgets whose it is but for the name of " + ref);
      server.change(
          Kind.VOLUME, volume.key(), "{'spec':{'claimRef':{'uid':null,'resourceVersion':null}}}");
    } else if (storage.assets.containsKey(volume.meta().name())) {
      String policy = random.nextBoolean() ? "Retain" : "Delete";
      note("user: " + volume.key() + " " + policy);
      server.change(
          Kind.VOLUME, volume.key(), "{'spec':{'persistentVolumeReclaimPolicy':'" + policy + "'}}");
    }
  }

  /** Whoever takes it from under the claim that it is made for gets a claim that waits for ever. */
  private boolean isAwaited(Volume volume) {
    SimStorage.Asset asset = storage.assets.get(volume.meta().name());
    Claim claim = asset == null ? null : server.find(Kind.CLAIM, asset.claim());
    return claim != null
        && claim.meta().uid().equals(asset.claimUid())
        && claim.phase() == ClaimPhase.PENDING;
  }

  /** Plays the protection controllers: what is deleted and unused goes. */
  private void protector() {
    for (Claim claim : server.all(Kind.CLAIM)) {
      if (claim.meta().isBeingDeleted()) {
        server.change(Kind.CLAIM, claim.key(), "{'metadata':{'finalizers':null}}");
      }
    }
    for (Volume volume : server.all(Kind.VOLUME)) {
      List<String> left =
          volume.finalizers().stream()
              .filter(f -> !f.equals("kubernetes.io/pv-protection"))
              .toList();
      if (volume.meta().isBeingDeleted()
          && volume.phase() != VolumePhase.BOUND
          && left.size() < volume.finalizers().size()) {
        server.change(
            Kind.VOLUME,
            volume.key(),
            "{'metadata':{'finalizers':%s}}"
                .formatted(left.isEmpty() ? "null" : "['" + String.join("','", left) + "']"));
      }
    }
  }

  /** No more faults, no more users: until nothing happens any more. */
  private void settle() {
    calm = true;
    while (processes.size() > 1) {
      end(processes.getFirst());
    }
    Process process = processes.getFirst();
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      if (round > 200) {
        throw new AssertionError("does not come to rest");
      }
      long before = server.store(Kind.VOLUME).version();
      drain(process);
      protector();
      drain(process);
      process.resync();
      drain(process);
      clock.advance(130_000_000_000L);
      drain(process);
      quiet = server.store(Kind.VOLUME).version() == before ? quiet + 1 : 0;
    }
  }

  private void drain(Process process) {
    int idle = 0;
    for (int i = 0; idle < 3; i++) {
      if (i > 20_000) {
        throw new AssertionError(
            "work without end; there are "
                + server.all(Kind.CLAIM)
                + " and "
                + server.all(Kind.VOLUME));
      }
      boolean some = resumeOne();
      for (SimWatch<?> watch : process.watches()) {
        while (watch.deliver()) {
          some = true;
        }
      }
      some |= process.work(true);
      some |= process.work(false);
      process.judgeClaimsIfVolumesAreDone();
      if (!some) {
        long next = Math.min(clock.nextDue(), baton.nextWake(clock.now()));
        if (next - clock.now() < 125_000_000_000L) {
          clock.advance(Math.max(1, next - clock.now()));
          some = true;
        }
      }
      idle = some || process.hasWork() ? 0 : idle + 1;
    }
  }

  /** Nothing is ever taken from the claim that has it. */
  @Override
  public <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    if (before instanceof Volume was
        && result instanceof WriteResult.Written<T>(T after)
        && after instanceof Volume now) {
      note("write: " + now.meta().name() + " " + now.phase() + " " + now.claimRef());
      ClaimRef had = was.claimRef();
      ClaimRef has = now.claimRef();
      if (had != null && !had.uid().isNone() && has != null && !has.uid().isNone()) {
        verify(had.uid().equals(has.uid()), "volume " + was.key() + " was taken from " + had);
      }
    }
    if (result instanceof WriteResult.Written<T>(T after) && after instanceof Claim claim) {
      note("write: " + claim.key() + " " + claim.phase() + " " + claim.volumeName());
    }
  }

  /** Data goes only when the claim that it belongs to is gone, or has another volume. */
  void checkDeletion(String name) {
    note("storage: delete " + name);
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(name));
    SimStorage.Asset asset = storage.assets.get(name);
    if (asset == null) {
      return;
    }
    Claim claim = server.find(Kind.CLAIM, asset.claim());
    boolean used =
        claim != null
            && claim.meta().uid().equals(asset.claimUid())
            && claim.volumeName().equals(name)
            && !isOfAnother(volume, claim); // to whom an administrator gave it
    verify(!used, "volume " + name + " is deleted under its claim " + volume);
    boolean usedByAnother =
        volume != null
            && server.all(Kind.CLAIM).stream()
                .anyMatch(c ->
                    c.phase() == ClaimPhase.BOUND
                        && c.volumeName().equals(name)
                        && volume.claimRef() != null
                        && volume.claimRef().uid().equals(c.meta().uid()));
    verify(!usedByAnother, "volume " + name + " is deleted under a claim " + volume);
  }

  private static boolean isOfAnother(@Nullable Volume volume, Claim claim) {
    ClaimRef ref = volume == null ? null : volume.claimRef();
    return ref != null && !ref.isFor(claim.key(), claim.meta().uid());
  }

  private void verify(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private void checkEnd() {
    List<Volume> volumes = server.all(Kind.VOLUME);
    List<Claim> claims = server.all(Kind.CLAIM);
    Set<String> given = new HashSet<>();
    for (Claim claim : claims) {
      if (claim.phase() == ClaimPhase.BOUND) {
        verify(given.add(claim.volumeName()), "two claims have " + claim.volumeName());
        Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
        verify(
            volume != null
                && volume.phase() == VolumePhase.BOUND
                && volume.claimRef() != null
                && volume.claimRef().uid().equals(claim.meta().uid()),
            claim.key() + " is Bound to " + volume);
      }
    }
    for (Volume volume : volumes) {
      checkVolume(volume, claims);
    }
    for (Claim claim : claims) {
      checkWaiting(claim, volumes);
    }
    checkStorage(volumes, claims);
  }

  private void checkVolume(Volume volume, List<Claim> claims) {
    ClaimRef ref = volume.claimRef();
    boolean owned = ref != null && claims.stream().anyMatch(c -> c.meta().uid().equals(ref.uid()));
    VolumePhase expected =
        ref == null || ref.uid().isNone()
            ? VolumePhase.AVAILABLE
            : owned ? VolumePhase.BOUND : VolumePhase.RELEASED;
    verify(volume.phase() == expected, volume + " ought to be " + expected);
    verify(
        expected != VolumePhase.RELEASED
            || storage.assets.get(volume.meta().name()) == null
            || volume.reclaimPolicy() == dev.mooring.model.ReclaimPolicy.RETAIN,
        volume + " ought to have been deleted");
  }

  /** Every claim that can be bound is. */
  private void checkWaiting(Claim claim, List<Volume> volumes) {
    if (claim.phase() != ClaimPhase.PENDING) {
      return;
    }
    if (claim.className().equals("later") && !claim.meta().has(SELECTED_NODE)) {
      return; // for a pod
    }
    verify(claim.className().isEmpty(), claim.key() + " has a class that makes volumes and waits");
    for (Volume volume : volumes) {
      boolean free = volume.claimRef() == null && claim.volumeName().isEmpty();
      boolean reserved =
          volume.claimRef() != null
              && volume.claimRef().isFor(claim.key(), claim.meta().uid())
              && (claim.volumeName().isEmpty() || claim.volumeName().equals(volume.meta().name()));
      boolean suits =
          volume.storage().covers(claim.request())
              && volume.storageClass().isEmpty()
              && !volume.meta().isBeingDeleted();
      verify(!((free || reserved) && suits), claim.key() + " waits although there is " + volume);
    }
  }

  /** Nothing is made twice, and nothing is left behind but by a crash in the middle. */
  private void checkStorage(List<Volume> volumes, List<Claim> claims) {
    Set<Object> claimsServed = new HashSet<>();
    storage.assets.forEach((name, asset) -> {
      verify(claimsServed.add(asset.claimUid()), "two volumes for " + asset.claim());
      boolean known = volumes.stream().anyMatch(v -> v.meta().name().equals(name));
      verify(
          known || crashed.contains(asset.madeBy()),
          "volume " + name + " is left behind in the storage; claims are " + claims);
    });
  }
}
