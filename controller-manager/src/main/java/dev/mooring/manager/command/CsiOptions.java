package dev.mooring.manager.command;

import dev.mooring.manager.lifecycle.ManagerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class CsiOptions {
  @Option(
      names = "--csi-endpoint",
      paramLabel = "DRIVER=unix:///SOCKET|tcp://HOST:PORT[,SETTING=VALUE...]",
      description =
          "CSI driver whose volumes this process provisions, attaches and expands, instead of external-provisioner, external-attacher and external-resizer. Repeatable. Settings are flags of this section, without \"--\" and \"csi-\", for this driver only. Example: ebs.csi.aws.com=unix:///run/csi/socket,timeout=1m,default-fstype=xfs. DRIVER=@FILE reads them from a YAML file, with the socket as \"endpoint\".")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--enable-distributed-snapshotting",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Let the snapshot controller assign the snapshots of local volumes to their nodes, for drivers with node-deployment. Default: ${DEFAULT-VALUE}.")
  private boolean distributesSnapshots;

  @Mixin private final CsiSettings settings = new CsiSettings();

  ManagerConfig.Csi config(ManagerConfig.Features features) throws UsageException {
    Map<String, ManagerConfig.Driver> drivers = new LinkedHashMap<>();
    for (DriverFlag flag : DriverFlag.parseAll(endpoints)) {
      drivers.put(flag.driver(), flag.overrideDefaults(settings).driver(flag.endpoint(), features));
    }
    settings.driver(
        "", features); // validates the defaults too, even if every driver overrides them
    return new ManagerConfig.Csi(drivers, distributesSnapshots);
  }

  Duration doctorPeriod() {
    return settings.doctorPeriod();
  }
}
