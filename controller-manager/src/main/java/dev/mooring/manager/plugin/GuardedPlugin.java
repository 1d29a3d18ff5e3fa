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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of the plugin of a name, whichever instance of it is there at the moment: a jar may be
 * replaced or taken away while the host holds on to this. While none is there the plugin still can
 * do what it could, only that every call fails as unreachable: to be without a plugin for a moment
 * says nothing about its volumes. Every method of the SPI types is overridden here; a test
 * compares. Thread-safe.
 */
final class GuardedPlugin implements VolumePlugin {
  private final String name;
  private final BooleanSupplier mayWork;
  private final AtomicLong generation = new AtomicLong();
  private volatile @Nullable Instance instance;

  /** What its last instance could do, by proxies like this one: nothing holds on to its classes. */
  private volatile Instance.Abilities proxies = Instance.Abilities.NONE;

  /**
   * The plugin of that name, which is not there yet.
   *
   * @param mayWork whether it may be given work
   */
  GuardedPlugin(String name, BooleanSupplier mayWork) {
    this.name = name;
    this.mayWork = mayWork;
  }

  /** From now on calls go to this one, to none if there is none. */
  void become(@Nullable Instance other) {
    if (other != null) {
      proxies = proxiesTo(other.abilities());
    }
    instance = other;
    generation.incrementAndGet();
  }

  private Instance.Abilities proxiesTo(Instance.Abilities it) {
    return new Instance.Abilities(
        it.provisioner().map(x -> new GuardedProvisioner()),
        it.deleter().map(x -> new GuardedDeleter()),
        it.attacher().map(x -> new GuardedAttacher()),
        it.expander().map(x -> this::expand),
        it.fencing().map(x -> this::assess),
        it.usage().map(x -> this::measure));
  }

  /**
   * Changes whenever what was asked at once may have to be asked again: after the plugin came or
   * went, and after each question that it did not answer.
   */
  long generation() {
    return generation.get();
  }

  /** The one that is there. */
  Optional<Instance> instance() {
    return Optional.ofNullable(instance);
  }

  /** Work, which is given to nobody without the lead. */
  private <T> Attempt<T> asked(Function<Instance, Attempt<T>> call) {
    Instance there = instance;
    if (!mayWork.getAsBoolean()) {
      return new Attempt.Failed<>(
          new Failure.Unreachable(
              "this replica does not lead (any more): plugin " + name + " was not asked"));
    }
    return there == null
        ? new Attempt.Failed<>(
            new Failure.Unreachable(
                "plugin " + name + " was taken away; put its jar into the plugin directory again"))
        : call.apply(there);
  }

  /** A question that is to be answered at once; what stands for an answer if it is not. */
  private <T> T quickCall(T otherwise, Function<Instance, Optional<T>> question) {
    Instance there = instance;
    if (there == null) {
      return otherwise;
    }
    Optional<T> answer = question.apply(there);
    if (answer.isEmpty()) {
      generation.incrementAndGet();
    }
    return answer.orElse(otherwise);
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
    return quickCall(false, i -> i.supports(source));
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
    return proxies.provisioner();
  }

  @Override
  public Optional<Attacher> attacher() {
    return proxies.attacher();
  }

  @Override
  public Optional<NodeFencing> fencing() {
    return proxies.fencing();
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
  public Optional<Deleter> deleter() {
    return proxies.deleter();
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

  private Attempt<Expander.Expanded> expand(Expander.Request request) {
    return asked(i ->
        i.asked(
            "expand",
            "volume " + request.volumeName(),
            () -> there(i, Instance.Abilities::expander).expand(request)));
  }

  private Attempt<UsageMeter.Usage> measure(UsageMeter.Request request) {
    return asked(i ->
        i.asked(
            "measure",
            "the usage of volume " + request.volumeName(),
            () -> there(i, Instance.Abilities::usage).measure(request)));
  }

  final class GuardedProvisioner implements Provisioner {
    /** No answer is no refusal: {@link #provision} comes next and says what is wrong, for now. */
    @Override
    public Optional<String> refuses(Request request) {
      return quickCall(
          Optional.empty(),
          i ->
              i.quickCall(
                  "refuses", () -> there(i, Instance.Abilities::provisioner).refuses(request)));
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
      return quickCall(
          Optional.empty(),
          i ->
              i.quickCall(
                  "volumeName", () -> there(i, Instance.Abilities::attacher).volumeName(source)));
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
