package dev.mooring.manager.plugin;

import dev.mooring.manager.plugin.PluginInstance.Capabilities;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Proxy of a plugin name. The host keeps the proxy while jars are replaced or removed. Without an
 * instance, the proxy retains the capabilities of the last one, but every call fails as
 * unreachable: a missing jar does not imply anything about volumes. Overrides every method of the
 * SPI types, which a test verifies. Thread-safe.
 */
final class GuardedPlugin implements VolumePlugin {
  private final String name;
  private final BooleanSupplier mayWork;
  private final AtomicLong generation = new AtomicLong();
  private volatile @Nullable PluginInstance instance;

  // Capabilities of the last instance as proxies, so that no plugin class is retained.
  private volatile Capabilities proxies = Capabilities.NONE;

  GuardedPlugin(String name, BooleanSupplier mayWork) {
    this.name = name;
    this.mayWork = mayWork;
  }

  void setTarget(@Nullable PluginInstance newInstance) {
    if (newInstance != null) {
      proxies = newProxies(newInstance.capabilities());
    }
    instance = newInstance;
    generation.incrementAndGet();
  }

  private Capabilities newProxies(Capabilities capabilities) {
    return new Capabilities(
        capabilities.provisioner().map(x -> new GuardedProvisioner()),
        capabilities.deleter().map(x -> new GuardedDeleter()),
        capabilities.attacher().map(x -> new GuardedAttacher()),
        capabilities.expander().map(x -> this::expand),
        capabilities
            .fencing()
            .map(x -> new PluginInstance.LoadedFencing(new GuardedFencing(x.scope()), x.scope())),
        capabilities.usage().map(x -> this::measure),
        capabilities.inventory().map(x -> this::contains),
        capabilities
            .populator()
            .map(x ->
                new PluginInstance.LoadedPopulator(new GuardedPopulator(x.kinds()), x.kinds())));
  }

  /**
   * Returns a number that changes whenever answers of quick calls may have changed: when an
   * instance is added or removed, and after each unanswered quick call.
   */
  long generation() {
    return generation.get();
  }

  Optional<PluginInstance> instance() {
    return Optional.ofNullable(instance);
  }

  private interface CapabilityCall<C, T> {
    T answer(C capability) throws Exception;
  }

  // Makes an operation call. Only the leader makes them.
  private <C, T> Attempt<T> call(
      Function<Capabilities, Optional<C>> selector,
      String operation,
      String subject,
      CapabilityCall<C, Attempt<T>> call) {
    PluginInstance target = instance;
    if (!mayWork.getAsBoolean()) {
      return new Attempt.Failed<>(
          new Failure.Unreachable(
              "this replica is not the leader: plugin " + name + " was not called"));
    }
    return target == null
        ? new Attempt.Failed<>(
            new Failure.Unreachable(
                "plugin " + name + " was removed; add its jar to the plugin directory again"))
        : target.call(operation, subject, () -> call.answer(capability(target, selector)));
  }

  private <C, T> T quickCall(
      T fallback,
      Function<Capabilities, Optional<C>> selector,
      String operation,
      CapabilityCall<C, T> call) {
    return quickCall(
        fallback, i -> i.quickCall(operation, () -> call.answer(capability(i, selector))));
  }

  private <T> T quickCall(T fallback, Function<PluginInstance, Optional<T>> question) {
    PluginInstance target = instance;
    if (target == null) {
      return fallback;
    }
    Optional<T> answer = question.apply(target);
    if (answer.isEmpty()) {
      generation.incrementAndGet();
    }
    return answer.orElse(fallback);
  }

  /**
   * Makes a quick call whose missing answer is a failure: it does not mean that the plugin serves
   * the object.
   */
  private <C, T> Attempt<T> ask(
      Function<Capabilities, Optional<C>> selector,
      String operation,
      CapabilityCall<C, Attempt<T>> call) {
    return quickCall(
        new Attempt.Failed<>(
            new Failure.Unreachable(
                "plugin " + name + " does not report whether it serves this object")),
        selector,
        operation,
        call);
  }

  /**
   * Returns a capability of the instance. Runs inside the bulkhead, so a missing capability is
   * reported as a fault.
   */
  private static <T> T capability(
      PluginInstance target, Function<Capabilities, Optional<T>> selector) {
    return selector
        .apply(target.capabilities())
        .orElseThrow(() ->
            new UnsupportedOperationException(
                "plugin " + target.name() + " no longer has this capability"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean supports(VolumeSource source) {
    return quickCall(false, i -> i.supports(source));
  }

  @Override
  public void start(PluginContext context) {
    throw new UnsupportedOperationException("start an instance, not the proxy");
  }

  @Override
  public void stop() {
    throw new UnsupportedOperationException("stop an instance, not the proxy");
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return proxies.provisioner();
  }

  @Override
  public Optional<Attacher> attacher() {
    return proxies.attacher();
  }

  @Override
  public Optional<NodeFencing> fencing() {
    return proxies.fencing().map(PluginInstance.LoadedFencing::fencing);
  }

  @Override
  public Optional<Expander> expander() {
    return proxies.expander();
  }

  @Override
  public Optional<UsageMeter> usage() {
    return proxies.usage();
  }

  @Override
  public Optional<VolumeInventory> inventory() {
    return proxies.inventory();
  }

  @Override
  public Optional<Populator> populator() {
    return proxies.populator().map(PluginInstance.LoadedPopulator::populator);
  }

  @Override
  public Optional<Deleter> deleter() {
    return proxies.deleter();
  }

  private Attempt<Expander.Expanded> expand(Expander.Request request) {
    return call(
        Capabilities::expander, "expand", "volume " + request.volumeName(), c -> c.expand(request));
  }

  private Attempt<UsageMeter.Usage> measure(UsageMeter.Request request) {
    return call(
        Capabilities::usage,
        "measure",
        "the usage of volume " + request.volumeName(),
        c -> c.measure(request));
  }

  private Attempt<Boolean> contains(VolumeInventory.Request request) {
    return call(
        Capabilities::inventory,
        "contains",
        "volume " + request.volumeName(),
        c -> c.contains(request));
  }

  final class GuardedProvisioner implements Provisioner {
    @Override
    public Attempt<Optional<String>> ignores(Request request) {
      return ask(Capabilities::provisioner, "ignores", c -> c.ignores(request));
    }

    /**
     * A missing answer is not a rejection: {@link #provision} is called next and reports the
     * problem.
     */
    @Override
    public Optional<String> refuses(Request request) {
      return quickCall(
          Optional.empty(), Capabilities::provisioner, "refuses", c -> c.refuses(request));
    }

    /** Without an answer the plugin gets full claims. */
    @Override
    public boolean needsFullClaims(Map<String, String> parameters) {
      return quickCall(
          true, Capabilities::provisioner, "needsFullClaims", c -> c.needsFullClaims(parameters));
    }

    @Override
    public boolean needsNode() {
      return quickCall(false, Capabilities::provisioner, "needsNode", c -> c.needsNode());
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      return call(
          Capabilities::provisioner,
          "provision",
          "volume " + request.volumeName(),
          c -> c.provision(request));
    }
  }

  final class GuardedAttacher implements Attacher {
    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return quickCall(
          Optional.empty(), Capabilities::attacher, "volumeName", c -> c.volumeName(source));
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      return call(
          Capabilities::attacher,
          "attach",
          "volume " + request.volumeName() + " on node " + request.node(),
          c -> c.attach(request));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return call(
          Capabilities::attacher,
          "detach",
          "volume " + volumeName + " on node " + node,
          c -> c.detach(volumeName, node));
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return call(
          Capabilities::attacher,
          "attached",
          "volumes of node " + node,
          c -> c.attached(node, volumeNames));
    }
  }

  final class GuardedPopulator implements Populator {
    private final List<SourceKind> kinds;

    GuardedPopulator(List<SourceKind> kinds) {
      this.kinds = kinds;
    }

    @Override
    public List<SourceKind> kinds() {
      return kinds;
    }

    @Override
    public Attempt<Progress> populate(Request request) {
      return call(
          Capabilities::populator,
          "populate",
          "the volume of claim " + request.claim().key(),
          c -> c.populator().populate(request));
    }

    @Override
    public Attempt<CleanedUp> cleanUp(CleanUpRequest request) {
      return call(
          Capabilities::populator,
          "cleanUp",
          "claim " + request.claim(),
          c -> c.populator().cleanUp(request));
    }
  }

  final class GuardedDeleter implements Deleter {
    @Override
    public Attempt<Optional<String>> ignores(Request request) {
      return ask(Capabilities::deleter, "ignores", c -> c.ignores(request));
    }

    @Override
    public Attempt<Deleted> delete(Request request) {
      return call(
          Capabilities::deleter,
          "delete",
          "volume " + request.volumeName(),
          c -> c.delete(request));
    }
  }

  private final class GuardedFencing implements NodeFencing {
    private final Scope scope;

    GuardedFencing(Scope scope) {
      this.scope = scope;
    }

    @Override
    public Scope scope() {
      return scope;
    }

    @Override
    public NodeFencing.Verdict assess(String node) {
      Attempt<NodeFencing.Verdict> attempt =
          call(
              Capabilities::fencing,
              "fencing",
              "node " + node,
              c -> Attempt.done(c.fencing().assess(node)));
      return switch (attempt) {
        case Attempt.Done<NodeFencing.Verdict>(NodeFencing.Verdict verdict) -> verdict;
        case Attempt.Failed<NodeFencing.Verdict>(Failure failure) ->
            new NodeFencing.Verdict.Unproven(failure.message());
      };
    }
  }
}
