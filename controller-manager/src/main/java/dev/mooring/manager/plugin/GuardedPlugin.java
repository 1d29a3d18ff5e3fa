package dev.mooring.manager.plugin;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The one door to a plugin: its class loader becomes the thread's, and whatever it throws becomes a
 * {@link Failure.Fault} or the harmless answer. Every method of the SPI types is overridden here; a
 * test compares.
 */
final class GuardedPlugin implements VolumePlugin {
  private static final System.Logger LOG = System.getLogger(GuardedPlugin.class.getName());

  private final VolumePlugin plugin;
  private final ClassLoader loader;
  private final String name;
  private final LongAdder faults = new LongAdder();

  /** Guards the plugin; asks it for its name at once. */
  GuardedPlugin(VolumePlugin plugin, ClassLoader loader) {
    this.plugin = plugin;
    this.loader = loader;
    this.name = within(plugin::name);
  }

  /**
   * The plugins that the loader's jars name as services.
   *
   * @throws ServiceConfigurationError if one cannot be made; a class that does not link included
   */
  static List<GuardedPlugin> allIn(ClassLoader loader) {
    List<GuardedPlugin> all = new ArrayList<>();
    try {
      ServiceLoader.load(VolumePlugin.class, loader)
          .forEach(plugin -> all.add(new GuardedPlugin(plugin, loader)));
    } catch (LinkageError e) {
      throw new ServiceConfigurationError(e.toString(), e);
    }
    return all;
  }

  long faults() {
    return faults.sum();
  }

  private <T> T within(Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return call.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private <T> T guarded(
      String what, Supplier<T> call, java.util.function.Function<Throwable, T> otherwise) {
    try {
      return within(call);
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      faults.increment();
      LOG.log(System.Logger.Level.ERROR, () -> "plugin " + name + " failed in " + what, e);
      return otherwise.apply(e);
    }
  }

  private static <T> Attempt<T> fault(String name, Throwable e) {
    return new Attempt.Failed<>(new Failure.Fault("plugin " + name + " failed: " + e, e));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean supports(VolumeSource source) {
    return guarded("supports", () -> plugin.supports(source), e -> false);
  }

  @Override
  public void start(PluginContext context) {
    within(() -> {
      plugin.start(context);
      return name;
    });
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return this.<Optional<Provisioner>>guarded(
            "provisioner", plugin::provisioner, e -> Optional.empty())
        .map(p -> new GuardedProvisioner(p));
  }

  @Override
  public Optional<Attacher> attacher() {
    return this.<Optional<Attacher>>guarded("attacher", plugin::attacher, e -> Optional.empty())
        .map(a -> new GuardedAttacher(a));
  }

  @Override
  public Optional<NodeFencing> fencing() {
    return this.<Optional<NodeFencing>>guarded("fencing", plugin::fencing, e -> Optional.empty())
        .map(f ->
            node ->
                guarded(
                    "fencing",
                    () -> f.assess(node),
                    e -> new NodeFencing.Verdict.Unproven("plugin " + name + " failed: " + e)));
  }

  @Override
  public Optional<Expander> expander() {
    return this.<Optional<Expander>>guarded("expander", plugin::expander, e -> Optional.empty())
        .map(x -> request -> guarded("expand", () -> x.expand(request), e -> fault(name, e)));
  }

  @Override
  public Optional<Deleter> deleter() {
    return this.<Optional<Deleter>>guarded("deleter", plugin::deleter, e -> Optional.empty())
        .map(d -> new GuardedDeleter(d));
  }

  final class GuardedProvisioner implements Provisioner {
    private final Provisioner provisioner;

    GuardedProvisioner(Provisioner provisioner) {
      this.provisioner = provisioner;
    }

    @Override
    public Optional<String> refuses(Request request) {
      return guarded(
          "refuses",
          () -> provisioner.refuses(request),
          e -> Optional.of("plugin " + name + " failed: " + e));
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      return guarded("provision", () -> provisioner.provision(request), e -> fault(name, e));
    }
  }

  final class GuardedAttacher implements Attacher {
    private final Attacher attacher;

    GuardedAttacher(Attacher attacher) {
      this.attacher = attacher;
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return guarded("volumeName", () -> attacher.volumeName(source), e -> Optional.empty());
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      return guarded("attach", () -> attacher.attach(request), e -> fault(name, e));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return guarded("detach", () -> attacher.detach(volumeName, node), e -> fault(name, e));
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return guarded("attached", () -> attacher.attached(node, volumeNames), e -> fault(name, e));
    }
  }

  final class GuardedDeleter implements Deleter {
    private final Deleter deleter;

    GuardedDeleter(Deleter deleter) {
      this.deleter = deleter;
    }

    @Override
    public Attempt<Gone> delete(Request request) {
      return guarded("delete", () -> deleter.delete(request), e -> fault(name, e));
    }
  }
}
