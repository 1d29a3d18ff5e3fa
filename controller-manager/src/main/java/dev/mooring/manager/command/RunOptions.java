package dev.mooring.manager.command;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderConfig.DeletionLimit;
import dev.mooring.binder.BinderConfig.RecycleConfig;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.peer.KubeControllerManager;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.uninstall.UninstallConfig;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.storage.DeletionDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class RunOptions {
  private static final int MOST_WRITES = 1_000_000;

  enum Mode {
    /** kube-controller-manager keeps its volume controllers; this process handles the rest. */
    beside(KnownController.beside()),
    /** kube-controller-manager runs without its volume controllers. */
    replace(KnownController.onByDefault());

    private final Set<String> controllers;

    Mode(Set<String> controllers) {
      this.controllers = controllers;
    }
  }

  static final class OffByDefault implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return KnownController.offByDefault().iterator();
    }
  }

  @Option(
      names = "--mode",
      description =
          "beside: provision with plugins and CSI drivers; kube-controller-manager keeps its"
              + " controllers. replace: run all volume controllers, for a cluster whose"
              + " kube-controller-manager runs without them."
              + " Default: beside; replace with --embedded.")
  private @Nullable Mode mode;

  private Mode defaultMode = Mode.beside;

  @Option(
      names = SecondManagerCheck.FLAG,
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Start mode replace although kube-controller-manager is active and Mooring cannot read its"
              + " flags. Use it only if kube-controller-manager runs with --controllers=*,"
              + SecondManagerCheck.FIRST_ENTRY
              + ",... (docs/migrate-from-kcm.md). Default: ${DEFAULT-VALUE}.")
  private boolean volumeControllersOff;

  @Option(
      names = "--controllers",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "*",
      completionCandidates = OffByDefault.class,
      description =
          "Controllers to run: '*' for all default controllers of the mode, 'name' to add one,"
              + " '-name' to remove one. Off by default: ${COMPLETION-CANDIDATES}."
              + " Default: ${DEFAULT-VALUE}.")
  private List<String> controllers = new ArrayList<>(List.of("*"));

  @Option(
      names = "--compat",
      paramLabel = "none|kcm|kcm-VERSION",
      completionCandidates = CompatFlag.Values.class,
      description =
          "Decision rules: none for Mooring's, kcm for exactly kube-controller-manager's. kcm-1.36"
              + " and kcm-1.37 have that release's defaults; kcm is kcm-1.36. Default:"
              + " ${DEFAULT-VALUE}.")
  private CompatFlag compat = CompatFlag.NONE;

  @Option(
      names = "--pvclaimbinder-sync-period",
      paramLabel = "DURATION",
      description =
          "Interval between full resyncs of claims and volumes, at most 10,000 objects per second."
              + " Default: ${DEFAULT-VALUE}.")
  private Duration resync = Duration.ofSeconds(15);

  @Option(
      names = "--enable-dynamic-provisioning",
      arity = "0..1",
      fallbackValue = "true",
      description = "Provision volumes dynamically. Default: ${DEFAULT-VALUE}.")
  private boolean provisioning = true;

  @Option(
      names = "--enable-hostpath-provisioner",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Let the hostPath plugin provision directories on this machine. Default:"
              + " ${DEFAULT-VALUE}.")
  private boolean hostPath;

  @Option(
      names = "--concurrent-binder-syncs",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Maximum number of claims, and of volumes, processed concurrently. Default: ${DEFAULT-VALUE}.")
  private int workers = 64;

  @Option(
      names = "--claim-condition",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Show the reason in the status of waiting claims, as condition mooring.dev/Waiting: one"
              + " write per change of reason. Not with --compat=kcm. Default: ${DEFAULT-VALUE}.")
  private boolean claimCondition;

  @Option(
      names = "--kube-api-qps",
      paramLabel = "N",
      defaultValue = "0",
      description = "Maximum write requests per second. 0 = adaptive. Default: ${DEFAULT-VALUE}.")
  private double qps;

  @Option(
      names = "--kube-api-burst",
      paramLabel = "N",
      description =
          "Maximum burst of write requests, with --kube-api-qps. Default: ${DEFAULT-VALUE}.")
  private int burst = 30;

  @Option(
      names = "--concurrent-ephemeralvolume-syncs",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Maximum number of pods with generic ephemeral volumes processed concurrently. Default: ${DEFAULT-VALUE}.")
  private int ephemeralWorkers = 5;

  @Option(
      names = "--deletion-brake-limit",
      paramLabel = "N",
      description =
          "Maximum number of volume deletions per window; beyond it, all deletions stop until 'mooring"
              + " resume-deletions'. 0 disables the circuit breaker. Default: ${DEFAULT-VALUE}.")
  private int breakerLimit = DeletionLimit.DEFAULT.maximum();

  @Option(
      names = "--deletion-brake-window",
      paramLabel = "DURATION",
      description = "Time window of --deletion-brake-limit. Default: ${DEFAULT-VALUE}.")
  private Duration breakerWindow = DeletionLimit.DEFAULT.window();

  @Option(
      names = "--deletion-delay",
      paramLabel = "DURATION",
      description =
          "Time between the deletion of a claim and that of its storage, for example 72h. Until then 'mooring undo' restores both. Annotation mooring.dev/deletion-delay of a StorageClass or volume overrides it. 0 = no delay. Default: ${DEFAULT-VALUE}.")
  private Duration deletionDelay = Duration.ZERO;

  @Option(
      names = "--deletion-delay-max-bytes",
      paramLabel = "SIZE",
      converter = ByteCount.class,
      description =
          "Maximum total capacity of the volumes that --deletion-delay keeps, for example 2Ti. Beyond it, the delay of the oldest ends. 0 = no limit. Default: ${DEFAULT-VALUE}.")
  private long delayedBytes;

  @Option(
      names = "--plugin-scan-period",
      paramLabel = "DURATION",
      description =
          "Interval between scans of the plugin directory. New, changed and removed jars take effect"
              + " without a restart, once two scans have found them unchanged."
              + " 0 disables the scans. Default: ${DEFAULT-VALUE}.")
  private Duration pluginScan = Duration.ofSeconds(5);

  @Option(
      names = "--volume-usage-period",
      paramLabel = "DURATION",
      description =
          "Interval between usage measurements, for plugins that support them. Emits an event on a"
              + " claim whose volume contains more than its size. Reads whole directories, one at a time."
              + " 0 disables the measurements. Default: ${DEFAULT-VALUE}.")
  private Duration usage = Duration.ZERO;

  @Mixin private final FeatureGates gates = new FeatureGates();
  @Mixin private final AttachOptions attach = new AttachOptions();
  @Mixin private final PluginSettings pluginSettings = new PluginSettings();
  @Mixin private final ProvisionerOptions provisioner = new ProvisionerOptions();
  @Mixin private final CsiOptions csi = new CsiOptions();
  @Mixin private final RecycleOptions recycling = new RecycleOptions();
  @Mixin private final ElectionOptions election = new ElectionOptions();
  @Mixin private final RehearsalOptions rehearsal = new RehearsalOptions();

  @Mixin private final EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final ConsoleOptions console = new ConsoleOptions();
  @Mixin private final AuditOptions audit = new AuditOptions();

  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(pluginSettings.byName());
    settings.put("enable-hostpath-provisioner", Boolean.toString(hostPath));
    return settings;
  }

  Duration pluginTimeout() throws UsageException {
    return pluginSettings.timeout();
  }

  Duration pluginScan() throws UsageException {
    if (pluginScan.isNegative()) {
      throw new InvalidFlagException(
          "--plugin-scan-period " + pluginScan + " is negative: specify 0 to disable it");
    }
    return pluginScan;
  }

  private Duration usage() throws UsageException {
    if (usage.isNegative()) {
      throw new InvalidFlagException(
          "--volume-usage-period " + usage + " is negative: specify 0 to disable it");
    }
    return usage;
  }

  void checkSettings(PluginRegistry registry) throws UsageException {
    pluginSettings.check(registry);
  }

  void alone() {
    election.disable();
    replaceByDefault();
  }

  void replaceByDefault() {
    defaultMode = Mode.replace;
  }

  private Mode mode() {
    return mode == null ? defaultMode : mode;
  }

  SecondManagerCheck secondManagerCheck(KubeConnection connection) throws UsageException {
    return new SecondManagerCheck(
        connection,
        volumeControllersOff || election.lease().equals(KubeControllerManager.LEASE)
            ? Set.of()
            : KnownController.sharedWithKubernetes(config()));
  }

  UninstallConfig uninstallConfig() throws UsageException {
    RecycleConfig recycle = recycling.config();
    return new UninstallConfig(
        election.lease(),
        new TreeSet<>(List.of(recycle.hostPath().namespace(), recycle.nfs().namespace())),
        pluginSettings.podsNamespace(),
        attach.failsOverByEvidence(),
        selectControllers().contains(SnapshotController.NAME),
        Set.of(),
        false);
  }

  Optional<Duration> warmUpDelay() {
    return election.warmUpDelay();
  }

  RehearsalOptions rehearsal() {
    return rehearsal;
  }

  EndpointConfig page() throws UsageException {
    return console
        .config(endpoints.tls())
        .orElseThrow(() ->
            new InvalidFlagException("specify the address of the console: --console HOST:PORT"));
  }

  ManagerConfig config() throws UsageException {
    checkNumbers();
    try {
      BinderConfig binder =
          new BinderConfig(
              resync,
              workers,
              new BinderPolicy(compat.compat(), provisioning),
              recycling.config(),
              new DeletionLimit(breakerLimit, breakerWindow),
              new DeletionDelay.Config(deletionDelay, delayedBytes),
              claimCondition);
      return new ManagerConfig(
          binder,
          attach.config(compat.compat()),
          csi.config(gates.features(compat)),
          new ManagerConfig.PluginsConfig(
              provisioner.config(),
              pluginScan(),
              usage(),
              csi.doctorPeriod(),
              pluginSettings.podsNamespace(),
              pluginSettings.populatorNamespace()),
          mode() == Mode.beside,
          selectControllers(),
          gates.features(compat),
          ephemeralWorkers,
          election.config(),
          rehearsal.duration(election),
          qps,
          burst,
          endpoints.config(),
          endpoints.anyPort(),
          console.config(endpoints.tls()),
          audit.config(),
          Duration.ofSeconds(20));
    } catch (IllegalArgumentException e) {
      throw new InvalidFlagException(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the configuration of a shadow: kube-controller-manager's controllers, observing. */
  ManagerConfig shadowConfig() throws UsageException {
    replaceByDefault();
    return endpoints.observing(config());
  }

  void logIneffectiveFlags(System.Logger log) {
    gates.logUnsupported(log);
  }

  private void checkNumbers() throws UsageException {
    if (!(qps >= 0 && qps <= MOST_WRITES) || burst < 1 || burst > MOST_WRITES) {
      throw new InvalidFlagException(
          "--kube-api-qps %s with --kube-api-burst %s: specify a rate from 0 (adaptive) to %s and a burst from 1 to %s"
              .formatted(qps, burst, MOST_WRITES, MOST_WRITES));
    }
  }

  private static String canonicalName(String name) throws UsageException {
    return KnownController.find(name)
        .map(KnownController::controller)
        .orElseThrow(() ->
            new InvalidFlagException(
                "--controllers: unknown controller \"%s\" (known controllers: %s)"
                    .formatted(name, String.join(", ", KnownController.names()))));
  }

  private Set<String> selectControllers() throws UsageException {
    Set<String> selectControllers = new LinkedHashSet<>();
    if (controllers.contains("*")) {
      selectControllers.addAll(mode().controllers);
    }
    for (String entry : controllers) {
      if (entry.equals("*")) {
        continue;
      }
      boolean isRemoved = entry.startsWith("-");
      String name = canonicalName(isRemoved ? entry.substring(1) : entry);
      if (isRemoved) {
        selectControllers.remove(name);
      } else {
        selectControllers.add(name);
      }
    }
    return selectControllers;
  }
}
