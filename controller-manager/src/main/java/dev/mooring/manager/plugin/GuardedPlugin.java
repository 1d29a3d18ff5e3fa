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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
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

  private final Bulkhead bulkhead;

  /**
   * Guards the plugin; asks it for its name at once.
   *
   * @param deadline how long a call may take
   */
  GuardedPlugin(VolumePlugin plugin, ClassLoader loader, Duration deadline) {
    this.plugin = plugin;
    this.loader = loader;
    this.name = within(plugin::name);
    this.bulkhead = new Bulkhead(name, loader, deadline);
  }

  /**
   * The plugins that the loader's jars name as services.
   *
   * @throws ServiceConfigurationError if one cannot be made; a class that does not link included
   */
  static List<GuardedPlugin> allIn(ClassLoader loader, Duration deadline) {
    List<GuardedPlugin> all = new ArrayList<>();
    try {
      ServiceLoader.load(VolumePlugin.class, loader)
          .forEach(plugin -> all.add(new GuardedPlugin(plugin, loader, deadline)));
    } catch (LinkageError e) {
      throw new ServiceConfigurationError(e.toString(), e);
    }
    return all;
  }

  /** Calls that it has answered by throwing. */
  long faults() {
    return faults.sum();
  }

  /** Calls that do not end. */
  int hanging() {
    return bulkhead.hanging();
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

  private <T> T guarded(String what, Supplier<T> call, Function<Throwable, T> otherwise) {
    try {
      return within(call);
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      faults.increment();
      LOG.log(System.Logger.Level.ERROR, () -> "plugin " + name + " failed in " + what, e);
      return otherwise.apply(e);
    }
  }

  /** Slow work, on a thread of the plugin's own and within its deadline. */
  private <T> Attempt<T> asked(String what, String about, Callable<Attempt<T>> call) {
    try {
      return bulkhead.call(about, call);
    } catch (Bulkhead.Broken e) {
      return switch (e.how()) {
        case Bulkhead.Ended.Threw(Throwable cause) -> threw(what, cause);
        case Bulkhead.Ended.Unanswered unanswered -> {
          LOG.log(System.Logger.Level.WARNING, () -> what + ": " + unanswered.why());
          yield Bulkhead.attempt(unanswered);
        }
      };
    }
  }

  private <T> Attempt<T> threw(String what, Throwable cause) {
    if (cause instanceof VirtualMachineError error && !(cause instanceof StackOverflowError)) {
      throw error;
    }
    faults.increment();
    LOG.log(System.Logger.Level.ERROR, () -> "plugin " + name + " failed in " + what, cause);
    return new Attempt.Failed<>(new Failure.Fault("plugin " + name + " failed: " + cause, cause));
  }

  private NodeFencing.Verdict assess(NodeFencing fencing, String node) {
    Attempt<NodeFencing.Verdict> attempt =
        asked("fencing", "node " + node, () -> Attempt.done(fencing.assess(node)));
    return switch (attempt) {
      case Attempt.Done<NodeFencing.Verdict>(NodeFencing.Verdict verdict) -> verdict;
      case Attempt.Failed<NodeFencing.Verdict>(Failure why) ->
          new NodeFencing.Verdict.Unproven(why.message());
    };
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
        .map(f -> node -> assess(f, node));
  }

  @Override
  public Optional<Expander> expander() {
    return this.<Optional<Expander>>guarded("expander", plugin::expander, e -> Optional.empty())
        .map(x ->
            request -> asked("expand", "volume " + request.volumeName(), () -> x.expand(request)));
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
      return asked(
          "provision", "volume " + request.volumeName(), () -> provisioner.provision(request));
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
      return asked(
          "attach",
          "volume " + request.volumeName() + " on node " + request.node(),
          () -> attacher.attach(request));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return asked(
          "detach",
          "volume " + volumeName + " on node " + node,
          () -> attacher.detach(volumeName, node));
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return asked(
          "attached", "volumes of node " + node, () -> attacher.attached(node, volumeNames));
    }
  }

  final class GuardedDeleter implements Deleter {
    private final Deleter deleter;

    GuardedDeleter(Deleter deleter) {
      this.deleter = deleter;
    }

    @Override
    public Attempt<Gone> delete(Request request) {
      return asked("delete", "volume " + request.volumeName(), () -> deleter.delete(request));
    }
  }
}
