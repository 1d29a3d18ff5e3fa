package dev.mooring.it.sim;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.multibindings.Multibinder;
import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderController;
import dev.mooring.binder.BinderModule.InTree;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.expander.ExpandController;
import dev.mooring.informer.SharedInformers;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.protection.ProtectionConfig;
import dev.mooring.protection.UnusedCondition;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerGroup;
import dev.mooring.reconcile.ControllerRuntime;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.TestPorts;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One running manager. The program's own modules and runtime assemble, start and stop its
 * controllers, with simulated time and threads.
 */
final class SimProcess {
  /** Workers per queue. */
  static final int WORKERS = 3;

  /** Grace period of an orderly stop. */
  private static final Duration GRACE = Duration.ofSeconds(20);

  /**
   * Controllers of a process.
   *
   * @param modules modules of the controllers
   * @param plugins in-process plugins
   * @param driver the CSI driver to drive, if any; requires the binder's module
   */
  record Program(
      List<Module> modules, LoadedPlugins plugins, Optional<SimDriverModule.Driver> driver) {}

  private final Simulation simulation;
  private final List<Controller> controllers;
  private final Optional<BinderController> binder;
  private final List<SimWatch<?>> watches;
  private final Time time;
  private @Nullable Thread starting; // null while the process is a standby
  private Optional<Boolean> stopped = Optional.empty();

  /** Creates a standby with filled caches. */
  SimProcess(Simulation simulation, Workload workload) {
    this.simulation = simulation;
    Program program = workload.program(this);
    SharedInformers informers = new SharedInformers();
    time = simulation.clock().forProcess(this);
    SimConnection connection = new SimConnection(simulation, informers);
    ClusterPorts ports = TestPorts.of(connection, simulation::onEvent, time);
    Bindings bindings = new Bindings(simulation, informers, ports, program.plugins());
    Stream<Module> driverModules = program.driver().stream().map(SimDriverModule::new);
    Injector injector =
        Guice.createInjector(
            Stream.of(driverModules, program.modules().stream(), Stream.of(bindings))
                .flatMap(modules -> modules)
                .toList());
    controllers = declaredControllers(injector);
    binder =
        Optional.ofNullable(injector.getExistingBinding(Key.get(BinderController.class)))
            .map(binding -> binding.getProvider().get());
    watches =
        controllers.stream()
            .flatMap(controller -> controller.reads().stream())
            .distinct()
            .<SimWatch<?>>map(informer ->
                new SimWatch<>(simulation.server(), informer, simulation.hasSeveralPages()))
            .toList();
    watches.forEach(SimWatch::start);
  }

  /** Returns the controllers that the modules declare, in the program's order. */
  private List<Controller> declaredControllers(Injector injector) {
    return Stream.<Controller>concat(
            injector.getInstance(new Key<Set<ControllerSpec>>() {}).stream()
                .map(spec -> new ControllerRuntime(spec, time)),
            injector.getInstance(new Key<Set<GroupSpec>>() {}).stream()
                .map(spec -> new ControllerGroup(spec, time)))
        .sorted(EphemeralVolumes.FIRST)
        .toList();
  }

  /** Bindings that the program's modules require. */
  private static final class Bindings extends AbstractModule {
    private final SharedInformers informers;
    private final ClusterPorts ports;
    private final LoadedPlugins plugins;
    private final Compat compat;
    private final Duration deletionDelay;
    private final boolean failsOverByEvidence;

    Bindings(
        Simulation simulation,
        SharedInformers informers,
        ClusterPorts ports,
        LoadedPlugins plugins) {
      this.informers = informers;
      this.ports = ports;
      this.plugins = plugins;
      this.compat = simulation.compat();
      this.deletionDelay = simulation.deletionDelay();
      this.failsOverByEvidence = simulation.workload().failsOverByEvidence();
    }

    @Override
    protected void configure() {
      binder().requireExplicitBindings();
      Multibinder.newSetBinder(binder(), GroupSpec.class); // empty without a driver
      bind(SharedInformers.class).toInstance(informers);
      bind(ClusterPorts.class).toInstance(ports);
      bind(LoadedPlugins.class).toInstance(plugins);
      bind(LoadedPlugins.class).annotatedWith(InTree.class).toInstance(plugins);
      bind(Compat.class).toInstance(compat);
      bind(BinderConfig.class)
          .toInstance(
              new BinderConfig(
                  BinderConfig.DEFAULTS.resync(),
                  WORKERS,
                  new BinderPolicy(compat, true),
                  BinderConfig.DEFAULTS.recycle(),
                  BinderConfig.DEFAULTS.breaker(),
                  new DeletionDelay.Config(deletionDelay, 0),
                  false));
      bind(AttachDetachConfig.class)
          .toInstance(
              new AttachDetachConfig(
                  Optional.of(AttachDetachConfig.VERIFICATION_PERIOD),
                  true,
                  failsOverByEvidence,
                  compat));
      bind(ProtectionConfig.class)
          .toInstance(
              new ProtectionConfig(
                  compat.isKubernetes() ? UnusedCondition.ALL_CLAIMS : UnusedCondition.BOUND_CLAIMS,
                  WORKERS));
      bind(ExpandController.Scope.class).toInstance(ExpandController.Scope.ALL);
    }
  }

  /** Starts the controllers, as the program does after it has become the leader. */
  SimProcess activate() {
    starting = simulation.scheduler().thread("start", this, this::start);
    starting.start();
    return this;
  }

  private void start() {
    try {
      for (Controller controller : controllers) {
        controller.start();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Takes over as the leader: compares the caches with the API server, then starts the controllers.
   */
  SimProcess takeOver() {
    watches.forEach(SimWatch::compareWithServer);
    return activate();
  }

  /**
   * Resumes deletions that the circuit breaker holds, as an administrator would.
   *
   * @return whether deletions were held
   */
  boolean resumeDeletions() {
    if (binder.isEmpty() || !binder.get().areDeletionsHeld()) {
      return false;
    }
    try {
      return binder.get().resumeDeletions().isEmpty();
    } catch (InterruptedException stopping) {
      throw new IllegalStateException(stopping);
    }
  }

  List<SimWatch<?>> watches() {
    return watches;
  }

  /** Returns the names of controllers with a key that is queued or about to be. */
  List<String> busyControllers() {
    return controllers.stream()
        .filter(controller -> !controller.isIdle())
        .map(Controller::name)
        .toList();
  }

  /**
   * Starts an orderly stop, as the program does at SIGTERM. Controllers finish queued and running
   * work within the grace period, in the reverse order of their start.
   */
  void stop() {
    simulation.scheduler().thread("stop", this, this::stopAll).start();
  }

  private void stopAll() {
    try {
      starting.interrupt();
      time.join(starting, GRACE);
      boolean clean = true;
      for (Controller controller : controllers.reversed()) {
        clean &= controller.stop(GRACE);
      }
      stopped = Optional.of(clean);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether all work was finished by the stop; empty until the process has stopped. */
  Optional<Boolean> stopResult() {
    return stopped;
  }

  /** Returns the names of the threads that still run. */
  List<String> unfinishedThreads() {
    return simulation.scheduler().unfinishedThreads(this);
  }

  /** Kills the process: its threads, timers and watches. */
  void kill() {
    simulation.scheduler().kill(this);
    simulation.clock().dropTimers(this);
    watches.forEach(SimWatch::stop);
  }
}
