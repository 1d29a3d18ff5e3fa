package dev.mooring.manager.command;

import dev.mooring.manager.lifecycle.ManagerConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which CSI drivers are driven from here, and how. */
final class CsiOptions {
  @Option(
      names = "--csi-endpoint",
      paramLabel = "DRIVER=unix:///SOCKET|tcp://HOST:PORT[,SETTING=VALUE...]",
      description =
          "A CSI driver whose volumes are made, attached and grown by this process instead of external-provisioner, external-attacher and external-resizer. May be given several times. A setting is a flag of this section for this driver alone, without its \"--\" and \"csi-\": timeout=1m,default-fstype=xfs. DRIVER=@FILE reads them from a YAML file, with the socket as \"endpoint\".")
  private List<String> endpoints = new ArrayList<>();

  @Mixin private final CsiSettings settings = new CsiSettings();

  ManagerConfig.Csi config(ManagerConfig.Features features) throws UsageException {
    Map<String, ManagerConfig.Driver> drivers = new LinkedHashMap<>();
    for (DriverFlag flag : DriverFlag.all(endpoints)) {
      drivers.put(flag.driver(), flag.over(settings).driver(flag.endpoint(), features));
    }
    settings.driver("", features); // what no driver overrides has to be right too
    return new ManagerConfig.Csi(drivers);
  }
}
