package dev.mooring.manager.command;

import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.DeletionLimit;
import dev.mooring.binder.decide.Policy;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.uninstall.UninstallConfig;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of the controllers: kube-controller-manager's where it has them, in its forms. */
final class RunOptions {
  private static final int MOST_WRITES = 1_000_000;

  /** Whose conduct is followed, as it is said in flags. */
  enum CompatFlag {
    none(Compat.MOORING),
    kcm(Compat.KUBERNETES);

    final Compat chosen;

    CompatFlag(Compat compat) {
      this.chosen = compat;
    }
  }

  /** Who else runs volume controllers in the cluster. */
  enum Mode {
    /** Nobody: kube-controller-manager runs without them. */
    replace(KnownController.onByDefault()),
    /** kube-controller-manager; only what it leaves to others is done here. */
    beside(KnownController.beside());

    private final Set<String> controllers;

    Mode(Set<String> controllers) {
      this.controllers = controllers;
    }
  }

  /** What '*' leaves out, and who wants it has to name: the help says it. */
  static final class OffByDefault implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return KnownController.offByDefault().iterator();
    }
  }

  @Option(
      names = "--mode",
      description =
          "replace: all controllers, for a cluster whose kube-controller-manager runs without its"
              + " volume controllers; beside: only what kube-controller-manager leaves to others,"
              + " that is the volumes of plugins that are not Kubernetes' own, and the CSI drivers."
              + " Default: ${DEFAULT-VALUE}.")
  private Mode mode = Mode.replace;

  @Option(
      names = "--controllers",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "*",
      completionCandidates = OffByDefault.class,
      description =
          "Controllers to run: '*' for all of the mode that are on by default, 'name' to add one,"
              + " '-name' to leave one out. Off by default: ${COMPLETION-CANDIDATES}."
              + " Default: ${DEFAULT-VALUE}.")
  private List<String> controllers = new ArrayList<>(List.of("*"));

  @Option(
      names = "--compat",
      description =
          "none: Mooring's own decisions; kcm: exactly kube-controller-manager's. Default:"
              + " ${DEFAULT-VALUE}.")
  private CompatFlag compat = CompatFlag.none;

  @Option(
      names = "--pvclaimbinder-sync-period",
      paramLabel = "DURATION",
      defaultValue = "15s",
      converter = GoDuration.class,
      description =
          "How often every volume and claim is looked at again, 10,000 in a second at most."
              + " Default: ${DEFAULT-VALUE}.")
  private Duration resync = Duration.ofSeconds(15);

  @Option(
      names = "--enable-dynamic-provisioning",
      arity = "0..1",
      fallbackValue = "true",
      description = "Provision volumes at all. Default: ${DEFAULT-VALUE}.")
  private boolean provisioning = true;

  @Option(
      names = "--enable-hostpath-provisioner",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Let the hostPath plugin provision directories of this machine. Default:"
              + " ${DEFAULT-VALUE}.")
  private boolean hostPath;

  @Option(
      names = "--concurrent-binder-syncs",
      paramLabel = "N",
      converter = WorkerCount.class,
      description = "Claims, and volumes, worked on at once. Default: ${DEFAULT-VALUE}.")
  private int workers = 64;

  @Option(
      names = "--claim-condition",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Claims that wait say why in their status, as condition mooring.dev/Waiting: one write"
              + " for each reason. Not with --compat=kcm. Default: ${DEFAULT-VALUE}.")
  private boolean claimCondition;

  @Option(
      names = "--kube-api-qps",
      paramLabel = "N",
      defaultValue = "0",
      description = "Writes per second at most; 0: as the server bears. Default: ${DEFAULT-VALUE}.")
  private double qps;

  @Option(
      names = "--kube-api-burst",
      paramLabel = "N",
      description = "Writes at once at most, with --kube-api-qps. Default: ${DEFAULT-VALUE}.")
  private int burst = 30;

  @Option(
      names = "--concurrent-ephemeralvolume-syncs",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Pods whose generic ephemeral volumes are worked on at once. Default: ${DEFAULT-VALUE}.")
  private int ephemeralWorkers = 5;

  @Option(
      names = "--deletion-brake-limit",
      paramLabel = "N",
      description =
          "Volumes that may be destroyed within the window; then all deletions stop until 'mooring"
              + " resume-deletions'. 0: no circuit breaker. Default: ${DEFAULT-VALUE}.")
  private int breakerLimit = DeletionLimit.DEFAULT.most();

  @Option(
      names = "--deletion-brake-window",
      paramLabel = "DURATION",
      defaultValue = "10m",
      converter = GoDuration.class,
      description = "The window of --deletion-brake-limit. Default: ${DEFAULT-VALUE}.")
  private Duration breakerWindow = DeletionLimit.DEFAULT.window();

  @Option(
      names = "--plugin-scan-period",
      paramLabel = "DURATION",
      defaultValue = "5s",
      converter = GoDuration.class,
      description =
          "How often the plugin directory is looked at. A jar that comes, changes or goes is"
              + " loaded, replaced or ended without a restart, once it has been the same at two"
              + " looks. 0 for never. Default: ${DEFAULT-VALUE}.")
  private Duration pluginScan = Duration.ofSeconds(5);

  @Option(
      names = "--volume-usage-period",
      paramLabel = "DURATION",
      defaultValue = "0",
      converter = GoDuration.class,
      description =
          "How often volumes are measured whose plugin can. A claim is told when its volume holds"
              + " more than it has. Reads whole directories, one after another; 0 for never."
              + " Default: ${DEFAULT-VALUE}.")
  private Duration usage = Duration.ZERO;

  @Mixin private final FeatureGates gates = new FeatureGates();
  @Mixin private final AttachOptions attach = new AttachOptions();
  @Mixin private final PluginSettings pluginSettings = new PluginSettings();
  @Mixin private final ProvisionerOptions provisioner = new ProvisionerOptions();
  @Mixin private final CsiOptions csi = new CsiOptions();
  @Mixin private final RecycleOptions recycling = new RecycleOptions();
  @Mixin private final ElectionOptions election = new ElectionOptions();

  @Mixin private final EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final ConsoleOptions console = new ConsoleOptions();
  @Mixin private final AuditOptions audit = new AuditOptions();

  /** The plugins' settings, by name. */
  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(pluginSettings.byName());
    settings.put("enable-hostpath-provisioner", Boolean.toString(hostPath));
    return settings;
  }

  /** How long a plugin may take for a call. */
  Duration pluginTimeout() throws UsageException {
    return pluginSettings.timeout();
  }

  /** How often the plugin directory is looked at, zero for never. */
  Duration pluginScan() throws UsageException {
    if (pluginScan.isNegative()) {
      throw new WrongFlagException(
          "--plugin-scan-period " + pluginScan + " is less than 0: name 0 for never");
    }
    return pluginScan;
  }

  private Duration usage() throws UsageException {
    if (usage.isNegative()) {
      throw new WrongFlagException(
          "--volume-usage-period " + usage + " is less than 0: name 0 for never");
    }
    return usage;
  }

  /** Refuses settings that no plugin has asked for. */
  void checkSettings(PluginRegistry registry) throws UsageException {
    pluginSettings.check(registry);
  }

  /** There can be no other replica. */
  void alone() {
    election.off();
  }

  /** Where a run with these flags leaves something. */
  UninstallConfig left() throws UsageException {
    return LeftOptions.config(election, recycling, pluginSettings.podsNamespace());
  }

  /** Where a process that shows the page alone shows it. */
  EndpointConfig page() throws UsageException {
    return console
        .config(endpoints.tls())
        .orElseThrow(() -> new WrongFlagException("name where the page is: --console HOST:PORT"));
  }

  ManagerConfig config() throws UsageException {
    checkNumbers();
    try {
      BinderConfig binder =
          new BinderConfig(
              resync,
              workers,
              new Policy(compat.chosen, provisioning),
              recycling.config(),
              new DeletionLimit(breakerLimit, breakerWindow),
              claimCondition);
      return new ManagerConfig(
          binder,
          attach.config(compat.chosen),
          csi.config(gates.features()),
          new ManagerConfig.OfPlugins(
              provisioner.config(), pluginScan(), usage(), pluginSettings.podsNamespace()),
          mode == Mode.beside,
          chosen(),
          gates.features(),
          ephemeralWorkers,
          election.config(),
          qps,
          burst,
          endpoints.config(),
          endpoints.anyPort(),
          console.config(endpoints.tls()),
          audit.config(),
          Duration.ofSeconds(20));
    } catch (IllegalArgumentException e) {
      throw new WrongFlagException(String.valueOf(e.getMessage()));
    }
  }

  private void checkNumbers() throws UsageException {
    if (!(qps >= 0 && qps <= MOST_WRITES) || burst < 1 || burst > MOST_WRITES) {
      throw new WrongFlagException(
          "--kube-api-qps "
              + qps
              + " with --kube-api-burst "
              + burst
              + ": name a rate from 0 (no cap) to "
              + MOST_WRITES
              + " and a burst from 1 to "
              + MOST_WRITES);
    }
  }

  private static String known(String name) throws UsageException {
    return KnownController.called(name)
        .map(KnownController::controller)
        .orElseThrow(() ->
            new WrongFlagException(
                "--controllers: there is no controller \""
                    + name
                    + "\" (there are "
                    + String.join(", ", KnownController.names())
                    + ")"));
  }

  private Set<String> chosen() throws UsageException {
    Set<String> chosen = new LinkedHashSet<>();
    if (controllers.contains("*")) {
      chosen.addAll(mode.controllers);
    }
    for (String entry : controllers) {
      if (entry.equals("*")) {
        continue;
      }
      boolean off = entry.startsWith("-");
      String name = known(off ? entry.substring(1) : entry);
      if (off) {
        chosen.remove(name);
      } else {
        chosen.add(name);
      }
    }
    return chosen;
  }
}
