package dev.mooring.csi.execute;

import dev.mooring.csi.CsiConfig;
import dev.mooring.csi.DriverBridge;
import dev.mooring.csi.observe.DriverSession;
import dev.mooring.operation.VolumeService;
import java.util.UUID;

/** The parts that act for one driver, put together. */
public final class CsiParts {
  private final CsiVolumes volumes;
  private final Publishing publishing;

  /** Parts that do nothing yet. */
  public CsiParts(
      DriverSession session,
      CsiConfig config,
      DriverBridge.Informers informers,
      DriverBridge.Ports ports) {
    Places places = new Places(informers.csiNodes(), informers.nodes());
    this.volumes =
        new CsiVolumes(
            session,
            config,
            new CsiVolumes.Cluster(
                ports.reader(),
                informers.classes(),
                informers.attachments(),
                places,
                ports.events()),
            ports.time().now().toEpochMilli()
                + "-"
                + UUID.randomUUID().toString().substring(0, 4)
                + "-"
                + session.driver());
    this.publishing =
        new Publishing(session, config, ports.writer(), ports.reader(), places, ports.time());
  }

  /** Makes and destroys volumes. */
  public VolumeService volumes() {
    return volumes;
  }

  /** Publishes them on nodes. */
  public Publishing publishing() {
    return publishing;
  }
}
