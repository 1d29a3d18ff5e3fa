package dev.mooring.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Reflector;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.ControllerGroup;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Start and wake-up of one controller per plugin. */
class PluginProvisionersTest {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Failure AWAY = new Failure.Unreachable("away");

  /** A plugin with or without a provisioner and a deleter. */
  private record DiskPlugin(String name, boolean makes, boolean destroys) implements VolumePlugin {
    @Override
    public boolean supports(VolumeSource source) {
      return false;
    }

    @Override
    public Optional<Provisioner> provisioner() {
      return makes ? Optional.of(request -> new Attempt.Failed<>(AWAY)) : Optional.empty();
    }

    @Override
    public Optional<Deleter> deleter() {
      return destroys ? Optional.of(volume -> new Attempt.Failed<>(AWAY)) : Optional.empty();
    }
  }

  private static final class FakePluginDirectory implements LoadedPlugins {
    private final List<VolumePlugin> plugins = new ArrayList<>();
    private final List<VolumePlugin> present = new ArrayList<>();
    private final List<Consumer<Set<String>>> listeners = new ArrayList<>();

    void addPlugin(VolumePlugin plugin) {
      plugins.remove(plugin);
      plugins.add(plugin);
      present.add(plugin);
      notifyListener(plugin);
    }

    void removePlugin(VolumePlugin plugin) {
      present.remove(plugin);
      notifyListener(plugin);
    }

    private void notifyListener(VolumePlugin plugin) {
      listeners.forEach(listener -> listener.accept(Set.of(plugin.name())));
    }

    @Override
    public Optional<VolumePlugin> find(String name) {
      return present.stream().filter(plugin -> plugin.name().equals(name)).findFirst();
    }

    @Override
    public List<VolumePlugin> findSupporting(VolumeSource source) {
      return List.of();
    }

    @Override
    public List<VolumePlugin> outOfTree() {
      return List.copyOf(plugins);
    }

    @Override
    public void onChange(Consumer<Set<String>> listener) {
      listeners.add(listener);
    }
  }

  private static final DiskPlugin FIRST = new DiskPlugin("first", true, true);
  private static final DiskPlugin SECOND = new DiskPlugin("second", true, false);

  private final FakePluginDirectory plugins = new FakePluginDirectory();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final SharedInformers informers = cluster.informers();
  private final List<String> history = new ArrayList<>();
  private final List<ProvisionedStorage> storages = new ArrayList<>();
  private final SimTime time = new SimTime();
  private final ClusterPorts ports = TestPorts.of(cluster, cluster, time);
  private final ProvisionControllers controllers =
      new ProvisionControllers(
          informers,
          ports,
          new SharedState(
              TestGuards.of(new DeletionBreaker(1000, Duration.ofMinutes(10), time), time),
              new SavedVolumes(),
              new ProtectionHandover()));
  private final ControllerGroup group =
      new ControllerGroup(
          new PluginProvisioners(
                  plugins,
                  new PluginProvisioners.Config(ProvisionConfig.DEFAULTS),
                  informers,
                  this::controller,
                  new UnservedClaims(informers, ports, controllers))
              .spec(),
          time);

  private final Reflector<Claim> reflector =
      new Reflector<>(informers.of(Kind.CLAIM), GivenListWatch.empty(), time, () -> 0.5);

  @BeforeEach
  void listClaims() {
    reflector.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    group.stop(GRACE);
    reflector.stop();
  }

  private ControllerSpec controller(ProvisionedStorage storage) {
    storages.add(storage);
    storage.onReady().accept(() -> history.add(storage.name() + " is woken"));
    return ControllerSpec.builder(storage.name())
        .once(() -> history.add(storage.name() + " starts"))
        .build();
  }

  @Test
  void plugin_withProvisionerOrDeleter_getsController() throws InterruptedException {
    plugins.addPlugin(FIRST);
    plugins.addPlugin(SECOND);
    plugins.addPlugin(new DiskPlugin("third", false, true));
    plugins.addPlugin(new DiskPlugin("attaches", false, false));
    group.start();
    assertThat(history)
        .containsExactly(
            "provisioner-first starts", "provisioner-second starts", "provisioner-third starts");
    assertThat(storages).extracting(s -> s.config().reporter()).contains("first", "third");
    assertThat(storages).extracting(s -> s.volumes().provisionerNames()).contains(Set.of("second"));
  }

  @Test
  void plugin_loadedLater_startsOnlyItsController() throws InterruptedException {
    plugins.addPlugin(FIRST);
    group.start();
    history.clear();
    plugins.addPlugin(SECOND);
    assertThat(history).containsExactly("provisioner-second starts");
  }

  @Test
  void plugin_reloaded_isWokenNotRestarted() throws InterruptedException {
    plugins.addPlugin(FIRST);
    plugins.addPlugin(SECOND);
    group.start();
    history.clear();
    assertThat(storages.getFirst().volumes().isReady()).isTrue();
    plugins.removePlugin(FIRST);
    assertThat(storages.getFirst().volumes().isReady()).as("plugin unloaded").isFalse();
    history.clear();
    plugins.addPlugin(FIRST);
    assertThat(storages.getFirst().volumes().isReady()).isTrue();
    assertThat(history).containsExactly("provisioner-first is woken");
  }

  @Test
  void plugin_groupNotRunning_startsNothing() throws InterruptedException {
    plugins.addPlugin(FIRST);
    assertThat(history).isEmpty();
    group.start();
    assertThat(group.stop(GRACE)).isTrue();
    plugins.addPlugin(SECOND);
    assertThat(history).containsExactly("provisioner-first starts");
  }

  @Test
  void reads_withoutPlugins_listInformers() {
    assertThat(group.reads())
        .containsExactly(
            informers.of(Kind.CLAIM), informers.of(Kind.VOLUME), informers.of(Kind.STORAGE_CLASS));
    assertThat(group.name()).isEqualTo("provisioner");
  }
}
