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
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumePlugin;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one door to the plugin of a name, whichever instance of it is there at the moment: a jar may
 * be replaced or taken away while the host holds on to this. Every method of the SPI types is
 * overridden here; a test compares. Thread-safe.
 */
final class GuardedPlugin implements VolumePlugin {
  private final String name;
  private volatile @Nullable Instance instance;

  /** The plugin of that name, which is not there yet. */
  GuardedPlugin(String name) {
    this.name = name;
  }

  /** From now on calls go to this one, to none if there is none. */
  void become(@Nullable Instance other) {
    instance = other;
  }

  /** The one that is there. */
  Optional<Instance> instance() {
    return Optional.ofNullable(instance);
  }

  private <T> Attempt<T> asked(Function<Instance, Attempt<T>> call) {
    Instance there = instance;
    return there == null
        ? new Attempt.Failed<>(
            new Failure.Unreachable(
                "plugin " + name + " was taken away; put its jar into the plugin directory again"))
        : call.apply(there);
  }

  private <T> Optional<T> can(Function<Instance.Abilities, Optional<T>> ability) {
    return instance().map(Instance::abilities).flatMap(ability);
  }

  /** The host's own calls are made within its guard, so that an ability is there when asked. */
  private static <T> T there(Instance it, Function<Instance.Abilities, Optional<T>> ability) {
    return ability
        .apply(it.abilities())
        .orElseThrow(() ->
            new UnsupportedOperationException("plugin " + it.name() + " cannot do this any more"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean supports(VolumeSource source) {
    return instance().map(i -> i.supports(source)).orElse(false);
  }

  @Override
  public void start(PluginContext context) {
    throw new UnsupportedOperationException("instances are started, not names");
  }

  @Override
  public void stop() {
    throw new UnsupportedOperationException("instances are stopped, not names");
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return can(Instance.Abilities::provisioner).map(p -> new GuardedProvisioner());
  }

  @Override
  public Optional<Attacher> attacher() {
    return can(Instance.Abilities::attacher).map(a -> new GuardedAttacher());
  }

  @Override
  public Optional<NodeFencing> fencing() {
    return can(Instance.Abilities::fencing).map(f -> this::assess);
  }

  private NodeFencing.Verdict assess(String node) {
    Attempt<NodeFencing.Verdict> attempt =
        asked(i ->
            i.asked(
                "fencing",
                "node " + node,
                () -> Attempt.done(there(i, Instance.Abilities::fencing).assess(node))));
    return switch (attempt) {
      case Attempt.Done<NodeFencing.Verdict>(NodeFencing.Verdict verdict) -> verdict;
      case Attempt.Failed<NodeFencing.Verdict>(Failure why) ->
          new NodeFencing.Verdict.Unproven(why.message());
    };
  }

  @Override
  public Optional<Expander> expander() {
    return can(Instance.Abilities::expander)
        .map(x ->
            request ->
                asked(i ->
                    i.asked(
                        "expand",
                        "volume " + request.volumeName(),
                        () -> there(i, Instance.Abilities::expander).expand(request))));
  }

  @Override
  public Optional<UsageMeter> usage() {
    return can(Instance.Abilities::usage)
        .map(u ->
            request ->
                asked(i ->
                    i.asked(
                        "measure",
                        "the usage of volume " + request.volumeName(),
                        () -> there(i, Instance.Abilities::usage).measure(request))));
  }

  @Override
  public Optional<Deleter> deleter() {
    return can(Instance.Abilities::deleter).map(d -> new GuardedDeleter());
  }

  final class GuardedProvisioner implements Provisioner {
    @Override
    public Optional<String> refuses(Request request) {
      return instance()
          .flatMap(i ->
              i.glance(
                  "refuses",
                  () -> there(i, Instance.Abilities::provisioner).refuses(request),
                  Optional::of));
    }

    @Override
    public Attempt<Provisioned> provision(Request request) {
      return asked(i ->
          i.asked(
              "provision",
              "volume " + request.volumeName(),
              () -> there(i, Instance.Abilities::provisioner).provision(request)));
    }
  }

  final class GuardedAttacher implements Attacher {
    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return instance()
          .flatMap(i ->
              i.glance(
                  "volumeName",
                  () -> there(i, Instance.Abilities::attacher).volumeName(source),
                  why -> Optional.empty()));
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      return asked(i ->
          i.asked(
              "attach",
              "volume " + request.volumeName() + " on node " + request.node(),
              () -> there(i, Instance.Abilities::attacher).attach(request)));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return asked(i ->
          i.asked(
              "detach",
              "volume " + volumeName + " on node " + node,
              () -> there(i, Instance.Abilities::attacher).detach(volumeName, node)));
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return asked(i ->
          i.asked(
              "attached",
              "volumes of node " + node,
              () -> there(i, Instance.Abilities::attacher).attached(node, volumeNames)));
    }
  }

  final class GuardedDeleter implements Deleter {
    @Override
    public Attempt<Gone> delete(Request request) {
      return asked(i ->
          i.asked(
              "delete",
              "volume " + request.volumeName(),
              () -> there(i, Instance.Abilities::deleter).delete(request)));
    }
  }
}
