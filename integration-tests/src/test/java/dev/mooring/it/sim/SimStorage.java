package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.it.sim.SimNodes.At;
import dev.mooring.model.AccessModes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.Plugins;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Storage with every ability of the SPI. Each call may fail before or after it had its effect. */
final class SimStorage {
  static final String NAME = "kubernetes.io/sim";
  static final long GIB = 1L << 30;

  private static final String PATHS = "/sim/";

  /** A volume in the storage. */
  static final class Item {
    final ObjectKey claim;
    final Uid claimUid;
    Object madeBy;
    final boolean shared;
    boolean untold; // the process got no answer to its creation
    long size;

    /**
     * @param madeBy the process that created the volume
     * @param shared whether several nodes may have the volume at once
     */
    Item(ObjectKey claim, Uid claimUid, Object madeBy, boolean shared, long size) {
      this.claim = claim;
      this.claimUid = claimUid;
      this.madeBy = madeBy;
      this.shared = shared;
      this.size = size;
    }
  }

  private final Simulation simulation;
  private final Consumer<String> destroying;
  private final Map<String, Item> items = new TreeMap<>();
  private final Set<At> published = new HashSet<>();
  private final Set<String> busy = new HashSet<>();
  private Set<At> mounted = Set.of();
  private Set<At> forced = Set.of();
  private long grown;
  private long driven;
  private long slow;
  private long refusals;

  /**
   * @param destroying called with each volume before it is destroyed
   */
  SimStorage(Simulation simulation, Consumer<String> destroying) {
    this.destroying = destroying;
    this.simulation = simulation;
  }

  /** Sets the nodes that use the volumes. */
  void usedBy(SimNodes machines) {
    mounted = machines.mounted();
    forced = machines.forced();
  }

  /** Returns the path of a volume. */
  static String path(String handle) {
    return PATHS + handle;
  }

  /** Returns the volume's name in the status of nodes. */
  static String unique(String handle) {
    return handle.startsWith(WholeDriver.PREFIX)
        ? WholeDriver.UNIQUE + handle
        : NAME + "/" + handle;
  }

  /** Returns the handle of a name in the status of nodes. */
  static String handle(String unique) {
    return unique.substring(
        (unique.startsWith(WholeDriver.UNIQUE) ? WholeDriver.UNIQUE : NAME + "/").length());
  }

  /** Returns all volumes by name. */
  Map<String, Item> items() {
    return items;
  }

  /** Returns the nodes that may write to each volume. */
  Set<At> published() {
    return published;
  }

  /** Returns whether a CSI driver's slow call for the volume runs. */
  boolean isBusy(String handle) {
    return busy.contains(handle);
  }

  /** Begins a slow call of a CSI driver. */
  void begin(String handle) {
    slow++;
    busy.add(handle);
  }

  /** Ends a slow call of a CSI driver. */
  void end(String handle) {
    busy.remove(handle);
    check();
  }

  /** Returns the number of slow calls. */
  long slow() {
    return slow;
  }

  /** Returns how often a volume grew. */
  long grown() {
    return grown;
  }

  /** Returns how often a CSI driver published a volume. */
  long driven() {
    return driven;
  }

  /** Returns whether several nodes may have the volume at once. */
  boolean isShared(String handle) {
    Item item = items.get(handle);
    return item != null && item.shared;
  }

  /** Checks that no exclusive volume is on two nodes, except after a recorded forced detach. */
  void check() {
    if (simulation.compat().isKubernetes()) {
      return; // a failed detach may leave it on two nodes
    }
    Map<String, Set<String>> on = new TreeMap<>();
    for (At at : published) {
      on.computeIfAbsent(at.handle(), handle -> new TreeSet<>()).add(at.node());
    }
    for (At at : mounted) {
      if (!forced.contains(at)) {
        on.computeIfAbsent(at.handle(), handle -> new TreeSet<>()).add(at.node());
      }
    }
    on.forEach((handle, where) ->
        verify(
            where.size() <= 1 || isShared(handle),
            handle + " is on " + where + ", taken by force: " + forced));
  }

  /** Returns the storage's plugin for one process. */
  Plugins plugins(Object process) {
    return new OnePlugin(new Plugin(process));
  }

  private static <T> Attempt<T> uncertain() {
    return new Attempt.Failed<>(new Failure.Uncertain("the storage did not answer"));
  }

  private <T> Attempt<T> call(Supplier<Attempt<T>> work) {
    return call(work, SimStorage::uncertain);
  }

  /** Runs a call that may fail before or after its work. */
  <T> T call(Supplier<T> work, Supplier<T> unanswered) {
    simulation.point();
    Fault fault = simulation.fault("");
    if (fault == Fault.LOST || fault == Fault.CONFLICT || Thread.currentThread().isInterrupted()) {
      return unanswered.get();
    }
    T result = work.get();
    check();
    simulation.point();
    boolean answered = fault == Fault.NONE && !Thread.currentThread().isInterrupted();
    return answered ? result : unanswered.get();
  }

  /** Returns whether a node writes to the volume, or could. */
  boolean isUsed(String handle) {
    // in Kubernetes an attachment of a killed process that was not recorded stays
    boolean attached = published.stream().anyMatch(at -> at.handle().equals(handle));
    return attached && !simulation.compat().isKubernetes()
        || mounted.stream().anyMatch(at -> at.handle().equals(handle));
  }

  /** Returns whether the volume cannot grow because a node has it. */
  boolean refusesToGrow(String handle) {
    return simulation.mode() == Mode.WIDE
        && handle.startsWith(WholeDriver.PREFIX)
        && published.stream().anyMatch(at -> at.handle().equals(handle));
  }

  void countRefusal() {
    refusals++;
  }

  /** Returns how often a volume did not grow because a node had it. */
  long refusals() {
    return refusals;
  }

  /** Adds a volume that no process created. */
  void putForeign(String handle) {
    Uid claim = Uid.of(handle);
    items.put(handle, new Item(ObjectKey.of("ns", handle), claim, this, false, GIB));
  }

  /** Destroys a volume, if it exists. */
  void destroy(String handle) {
    simulation.note("storage: destroys " + handle);
    destroying.accept(handle);
    items.remove(handle);
  }

  /** Publishes a volume to a node. */
  void publish(At at) {
    simulation.note("storage: " + at.handle() + " to " + at.node());
    if (published.add(at) && at.handle().startsWith(WholeDriver.PREFIX)) {
      driven++;
    }
  }

  /** Takes a volume from a node that does not write to it, or from which it was taken by force. */
  void unpublish(At at) {
    simulation.note("storage: " + at.handle() + " from " + at.node());
    verify(
        simulation.compat().isKubernetes() || !mounted.contains(at) || forced.contains(at),
        at + " is detached while its node writes to it");
    published.remove(at);
  }

  /** Grows a volume. */
  void grow(Item item, long to) {
    if (to > item.size) {
      item.size = to;
      grown++;
    }
  }

  private final class Plugin implements VolumePlugin, Provisioner, Deleter, Attacher, Expander {
    private final Object process;

    Plugin(Object process) {
      this.process = process;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("hostPath") && source.attribute("path").startsWith(PATHS);
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return Optional.of(this);
    }

    @Override
    public Optional<Deleter> deleter() {
      return Optional.of(this);
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<Expander> expander() {
      return Optional.of(this);
    }

    private Item made(Provisioner.Request request) {
      int shared = request.accessModes().mask() & AccessModes.READ_WRITE_MANY;
      long size = request.capacity().toBytesCeiling();
      return new Item(request.claim().key(), request.claim().uid(), process, shared != 0, size);
    }

    @Override
    public Attempt<Provisioned> provision(Provisioner.Request request) {
      String name = request.volumeName();
      Attempt<Provisioned> told =
          call(() -> {
            simulation.note("storage: makes " + name);
            Item item = items.computeIfAbsent(name, none -> made(request));
            return Attempt.done(
                new Provisioned(
                    VolumeSource.hostPath(path(name)),
                    Quantity.ofBytes(item.size),
                    request.accessModes(),
                    Map.of()));
          });
      Item item = items.get(name);
      if (item != null) {
        item.madeBy = process; // the last caller is responsible for it
        item.untold = !(told instanceof Attempt.Done<Provisioned>);
      }
      return told;
    }

    @Override
    public Attempt<Gone> delete(Deleter.Request request) {
      String name = request.volumeName();
      return call(() -> {
        if (isUsed(name)) {
          simulation.note("storage: does not destroy " + name);
          return new Attempt.Failed<>(new Failure.InUse(name + " is in use"));
        }
        destroy(name);
        return Attempt.done(new Gone());
      });
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of(source.attribute("path").substring(PATHS.length()));
    }

    @Override
    public Attempt<Attached> attach(Attacher.Request request) {
      return call(() -> {
        if (request.volumeName().startsWith("pvc-") && !items.containsKey(request.volumeName())) {
          return new Attempt.Failed<>(new Failure.Rejected("no such volume"));
        }
        publish(new At(request.node(), request.volumeName()));
        return Attempt.done(new Attached(""));
      });
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return call(() -> {
        unpublish(new At(node, volumeName));
        return Attempt.done(new Detached());
      });
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return call(() -> {
        Set<String> there = new TreeSet<>();
        for (String name : volumeNames) {
          if (published.contains(new At(node, name))) {
            there.add(name);
          }
        }
        return Attempt.done(there);
      });
    }

    @Override
    public Attempt<Expanded> expand(Expander.Request request) {
      return call(() -> {
        Item item = items.get(request.volumeName());
        if (item == null) {
          // its claim was deleted after the expansion began
          return new Attempt.Failed<>(new Failure.Rejected(request.volumeName() + " is gone"));
        }
        grow(item, request.to().toBytesCeiling());
        return Attempt.done(new Expanded(Quantity.ofBytes(item.size), false));
      });
    }
  }
}
