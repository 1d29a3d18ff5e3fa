package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.it.sim.SimNodes.NodeVolume;
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
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.TestPlugin;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Storage back end and its in-process plugin, which supports every operation of the SPI. Each call
 * may fail before or after its work.
 *
 * <p>Invariant: no exclusive volume is on two nodes, except for a force-detach that an event
 * records.
 *
 * <p>Invariant: no volume is detached while its node has it mounted, unless it was force-detached.
 */
final class SimStorage {
  static final String NAME = "kubernetes.io/sim";
  static final long GIB = 1L << 30;

  private static final String PATHS = "/sim/";

  /** A volume in the storage. */
  static final class StoredVolume {
    final ObjectKey claim;
    final Uid claimUid;
    Object createdBy;
    final boolean shared;
    boolean unacknowledged; // its creator got no response
    long size;

    /**
     * Creates a volume for a claim.
     *
     * @param createdBy the process that requested it
     * @param shared whether it may be on many nodes at once
     * @param size bytes
     */
    StoredVolume(ObjectKey claim, Uid claimUid, Object createdBy, boolean shared, long size) {
      this.claim = claim;
      this.claimUid = claimUid;
      this.createdBy = createdBy;
      this.shared = shared;
      this.size = size;
    }
  }

  private final Simulation simulation;
  private final Consumer<String> destroying;
  private final Map<String, StoredVolume> items = new TreeMap<>();
  private final Set<NodeVolume> published = new HashSet<>();
  private final Set<String> busy = new HashSet<>();
  private Set<NodeVolume> mounted = Set.of();
  private Set<NodeVolume> forced = Set.of();
  private long expansions;
  private long driverPublishes;
  private long slowCalls;
  private long rejections;

  /**
   * Creates an empty storage.
   *
   * @param destroying called with each volume before it is destroyed
   */
  SimStorage(Simulation simulation, Consumer<String> destroying) {
    this.destroying = destroying;
    this.simulation = simulation;
  }

  /** Sets the nodes whose mounts the invariants consider. */
  void setNodes(SimNodes nodes) {
    mounted = nodes.mounted();
    forced = nodes.forceDetached();
  }

  /** Returns the hostPath of a volume. */
  static String pathOf(String handle) {
    return PATHS + handle;
  }

  /** Returns the volume's unique name in node statuses. */
  static String uniqueName(String handle) {
    return handle.startsWith(SimCsiDriver.PREFIX)
        ? SimCsiDriver.UNIQUE + handle
        : NAME + "/" + handle;
  }

  /** Returns the handle for a unique name in node statuses. */
  static String handleOf(String unique) {
    return unique.substring(
        (unique.startsWith(SimCsiDriver.UNIQUE) ? SimCsiDriver.UNIQUE : NAME + "/").length());
  }

  /** Returns the existing volumes by name. */
  Map<String, StoredVolume> volumes() {
    return items;
  }

  /** Returns the nodes to which the storage has published volumes. */
  Set<NodeVolume> published() {
    return published;
  }

  /** Returns whether a slow call of the CSI driver works on the volume. */
  boolean isBusy(String handle) {
    return busy.contains(handle);
  }

  /** Called when the CSI driver starts a slow call. */
  void startSlowCall(String handle) {
    slowCalls++;
    busy.add(handle);
  }

  /** Called when the CSI driver has done the work of a slow call. */
  void endSlowCall(String handle) {
    busy.remove(handle);
    check();
  }

  /** Returns the number of slow calls of the CSI driver. */
  long slowCallCount() {
    return slowCalls;
  }

  long expansionCount() {
    return expansions;
  }

  /** Returns how often the CSI driver published a volume. */
  long driverPublishCount() {
    return driverPublishes;
  }

  /** Returns whether the volume may be on many nodes at once. */
  boolean isShared(String handle) {
    StoredVolume item = items.get(handle);
    return item != null && item.shared;
  }

  /**
   * Invariant: no exclusive volume is on two nodes. A node does not count if the controller
   * force-detached the volume from it and recorded that in an event.
   */
  void check() {
    if (simulation.compat().isKubernetes()) {
      return; // kube-controller-manager may attach it elsewhere after a failed detach
    }
    Map<String, Set<String>> nodesByVolume = new TreeMap<>();
    for (NodeVolume nodeVolume : published) {
      nodesByVolume
          .computeIfAbsent(nodeVolume.handle(), handle -> new TreeSet<>())
          .add(nodeVolume.node());
    }
    for (NodeVolume nodeVolume : mounted) {
      if (!forced.contains(nodeVolume)) {
        nodesByVolume
            .computeIfAbsent(nodeVolume.handle(), handle -> new TreeSet<>())
            .add(nodeVolume.node());
      }
    }
    nodesByVolume.forEach((handle, where) ->
        verify(
            where.size() <= 1 || isShared(handle),
            handle + " is on " + where + ", force-detached: " + forced));
  }

  /** Returns the storage's plugin as loaded in one process. */
  LoadedPlugins pluginsFor(Object process) {
    return TestPlugin.loaded(new Plugin(process));
  }

  private static <T> Attempt<T> uncertain() {
    return new Attempt.Failed<>(new Failure.Uncertain("no response from the storage"));
  }

  private <T> Attempt<T> call(Supplier<Attempt<T>> work) {
    return call(work, SimStorage::uncertain);
  }

  /**
   * Makes a call that may fail before or after its work.
   *
   * @param work does the work and returns the response
   * @param unanswered returns the result of a call without a response
   */
  <T> T call(Supplier<T> work, Supplier<T> unanswered) {
    simulation.yieldThread();
    CallFault fault = simulation.nextFault("");
    if (fault == CallFault.LOST
        || fault == CallFault.CONFLICT
        || Thread.currentThread().isInterrupted()) {
      return unanswered.get();
    }
    T result = work.get();
    check();
    simulation.yieldThread();
    boolean isAnswered = fault == CallFault.NONE && !Thread.currentThread().isInterrupted();
    return isAnswered ? result : unanswered.get();
  }

  /** Returns whether a node has the volume mounted or attached. */
  boolean isUsed(String handle) {
    // with --compat=kcm, an attachment that a killed process had not recorded stays for ever
    boolean attached = published.stream().anyMatch(at -> at.handle().equals(handle));
    return attached && !simulation.compat().isKubernetes()
        || mounted.stream().anyMatch(at -> at.handle().equals(handle));
  }

  /** Fault: in {@link FaultMode#WIDE} the CSI driver does not expand volumes that are published. */
  boolean rejectsExpansion(String handle) {
    return simulation.mode() == FaultMode.WIDE
        && handle.startsWith(SimCsiDriver.PREFIX)
        && published.stream().anyMatch(at -> at.handle().equals(handle));
  }

  void countRejection() {
    rejections++;
  }

  /** Returns how often the driver rejected an expansion because the volume was published. */
  long rejectionCount() {
    return rejections;
  }

  /** Adds a volume that no process of the simulation created. */
  void addForeign(String handle) {
    Uid claim = Uid.of(handle);
    items.put(handle, new StoredVolume(ObjectKey.of("ns", handle), claim, this, false, GIB));
  }

  /** Destroys a volume, if it exists. */
  void destroy(String handle) {
    simulation.addToHistory("storage: destroys " + handle);
    destroying.accept(handle);
    items.remove(handle);
  }

  /** Publishes a volume to a node. */
  void publish(NodeVolume nodeVolume) {
    simulation.addToHistory(
        "storage: publishes " + nodeVolume.handle() + " to " + nodeVolume.node());
    if (published.add(nodeVolume) && nodeVolume.handle().startsWith(SimCsiDriver.PREFIX)) {
      driverPublishes++;
    }
  }

  /**
   * Unpublishes a volume from a node, which must have unmounted it or lost it by a force-detach.
   */
  void unpublish(NodeVolume nodeVolume) {
    simulation.addToHistory(
        "storage: unpublishes " + nodeVolume.handle() + " from " + nodeVolume.node());
    verify(
        simulation.compat().isKubernetes()
            || !mounted.contains(nodeVolume)
            || forced.contains(nodeVolume),
        nodeVolume + " is detached while its node has it mounted");
    published.remove(nodeVolume);
  }

  /** Expands a volume that is smaller. */
  void expandTo(StoredVolume item, long newBytes) {
    if (newBytes > item.size) {
      item.size = newBytes;
      expansions++;
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

    private StoredVolume newVolume(Provisioner.Request request) {
      int shared = request.accessModes().mask() & AccessModes.READ_WRITE_MANY;
      long size = request.capacity().toBytesCeiling();
      return new StoredVolume(
          request.claim().key(), request.claim().uid(), process, shared != 0, size);
    }

    @Override
    public Attempt<Provisioned> provision(Provisioner.Request request) {
      String name = request.volumeName();
      Attempt<Provisioned> response =
          call(() -> {
            simulation.addToHistory("storage: creates " + name);
            StoredVolume item = items.computeIfAbsent(name, none -> newVolume(request));
            return Attempt.done(
                new Provisioned(
                    VolumeSource.hostPath(pathOf(name)),
                    Quantity.ofBytes(item.size),
                    request.accessModes(),
                    Map.of()));
          });
      StoredVolume item = items.get(name);
      if (item != null) {
        item.createdBy = process; // the last process to request it is responsible for it
        item.unacknowledged = !(response instanceof Attempt.Done<Provisioned>);
      }
      return response;
    }

    @Override
    public Attempt<Deleted> delete(Deleter.Request request) {
      String name = request.volumeName();
      return call(() -> {
        if (isUsed(name)) {
          simulation.addToHistory("storage: refuses to destroy " + name);
          return new Attempt.Failed<>(new Failure.InUse(name + " is in use"));
        }
        destroy(name);
        return Attempt.done(new Deleted());
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
          return new Attempt.Failed<>(new Failure.Rejected("volume not found"));
        }
        publish(new NodeVolume(request.node(), request.volumeName()));
        return Attempt.done(new Attached(""));
      });
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return call(() -> {
        unpublish(new NodeVolume(node, volumeName));
        return Attempt.done(new Detached());
      });
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return call(() -> {
        Set<String> attachedNames = new TreeSet<>();
        for (String name : volumeNames) {
          if (published.contains(new NodeVolume(node, name))) {
            attachedNames.add(name);
          }
        }
        return Attempt.done(attachedNames);
      });
    }

    @Override
    public Attempt<Expanded> expand(Expander.Request request) {
      return call(() -> {
        StoredVolume item = items.get(request.volumeName());
        if (item == null) {
          // the claim was deleted after the expansion started
          return new Attempt.Failed<>(new Failure.Rejected(request.volumeName() + " is gone"));
        }
        expandTo(item, request.requestedSize().toBytesCeiling());
        return Attempt.done(new Expanded(Quantity.ofBytes(item.size), false));
      });
    }
  }
}
