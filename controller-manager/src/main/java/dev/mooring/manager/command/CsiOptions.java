package dev.mooring.manager.command;

import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.decide.Topologies;
import dev.mooring.manager.lifecycle.ManagerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which CSI drivers are driven from here, and how: the sidecars' flags where they have them. */
final class CsiOptions {
  @Option(
      names = "--csi-endpoint",
      paramLabel = "DRIVER=unix:///SOCKET",
      description =
          "A CSI driver whose volumes are made, attached and grown by this process instead of external-provisioner, external-attacher and external-resizer. May be given several times.")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--csi-timeout",
      paramLabel = "DURATION",
      defaultValue = "15s",
      converter = GoDuration.class,
      description = "How long a call to a driver may take. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = CsiConfig.DEFAULTS.timeout();

  @Option(
      names = "--csi-workers",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "Claims, volumes or attachments that each driver is asked about at once. Default: ${DEFAULT-VALUE}.")
  private int workers = CsiConfig.DEFAULTS.workers();

  @Option(
      names = "--csi-retry-interval-start",
      paramLabel = "DURATION",
      defaultValue = "1s",
      converter = GoDuration.class,
      description =
          "How long what a driver refused waits at first; doubled every time. Default: ${DEFAULT-VALUE}.")
  private Duration first = CsiConfig.DEFAULTS.firstRetry();

  @Option(
      names = "--csi-retry-interval-max",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = GoDuration.class,
      description = "How long it waits at most. Default: ${DEFAULT-VALUE}.")
  private Duration last = CsiConfig.DEFAULTS.lastRetry();

  @Option(
      names = "--csi-reconcile-sync",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = GoDuration.class,
      description =
          "How often a driver that can list its volumes is asked where they are published. Default: ${DEFAULT-VALUE}.")
  private Duration verify = CsiConfig.DEFAULTS.verifyPeriod();

  @Option(
      names = "--default-fstype",
      paramLabel = "TYPE",
      defaultValue = "",
      description =
          "The file system of volumes whose class names none. Default: the driver's choice.")
  private String fsType = "";

  @Option(
      names = "--extra-create-metadata",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Tell drivers the names of claim and volume, as parameters. Default: ${DEFAULT-VALUE}.")
  private boolean metadata;

  @Option(
      names = "--controller-publish-readonly",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Mark volumes that are ReadOnlyMany alone as read-only. Default: ${DEFAULT-VALUE}.")
  private boolean readOnly;

  @Option(
      names = "--strict-topology",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Name only the selected node's place to drivers, not the others too. Default: ${DEFAULT-VALUE}.")
  private boolean strict;

  @Option(
      names = "--immediate-topology",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description =
          "Name all places to drivers where no node was selected. Default: ${DEFAULT-VALUE}.")
  private boolean immediate = true;

  @Option(
      names = "--enable-capacity",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Publish CSIStorageCapacity objects for drivers that know how much room they have. Default: ${DEFAULT-VALUE}.")
  private boolean capacity;

  @Option(
      names = "--capacity-poll-interval",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = GoDuration.class,
      description = "How often drivers are asked for it. Default: ${DEFAULT-VALUE}.")
  private Duration capacityPeriod = Duration.ofMinutes(1);

  @Option(
      names = "--capacity-for-immediate-binding",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      description =
          "Publish it for classes too that do not wait for a first consumer. Default: ${DEFAULT-VALUE}.")
  private boolean capacityForImmediate;

  @Option(
      names = "--capacity-namespace",
      paramLabel = "NAMESPACE",
      description = "Where the objects are. Default: $NAMESPACE.")
  private @Nullable String capacityNamespace;

  CsiOptions() {}

  private Optional<CsiConfig.Capacity> capacity() {
    String namespace =
        capacityNamespace != null
            ? capacityNamespace
            : System.getenv().getOrDefault("NAMESPACE", "");
    return capacity
        ? Optional.of(new CsiConfig.Capacity(namespace, capacityPeriod, capacityForImmediate))
        : Optional.empty();
  }

  /** Where drivers are, by their names. */
  static Map<String, String> drivers(List<String> endpoints) throws UsageException {
    Map<String, String> drivers = new LinkedHashMap<>();
    for (String endpoint : endpoints) {
      int equals = endpoint.indexOf('=');
      if (equals < 1 || equals == endpoint.length() - 1) {
        throw new UsageException(
            "--csi-endpoint "
                + endpoint
                + " does not say which driver is where: write it like ebs.csi.aws.com=unix:///run/csi/socket");
      }
      String driver = endpoint.substring(0, equals);
      if (drivers.put(driver, endpoint.substring(equals + 1)) != null) {
        throw new UsageException("--csi-endpoint names driver " + driver + " twice: keep one");
      }
    }
    return drivers;
  }

  ManagerConfig.Csi config() throws UsageException {
    return new ManagerConfig.Csi(
        drivers(endpoints),
        new CsiConfig(
            timeout,
            workers,
            first,
            last,
            verify,
            new DriverOptions(fsType, metadata, readOnly, new Topologies.Policy(strict, immediate)),
            capacity()));
  }
}
