package dev.mooring.it;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import java.time.Duration;

/**
 * Connects through the CSI bridge on the class path of the tests. Each load of the packaged bridge
 * defines and compiles all classes of gRPC again.
 */
public final class HostBridge implements CsiConnector {
  private final CsiConnector bridge;

  public HostBridge() throws ReflectiveOperationException {
    bridge =
        (CsiConnector)
            Class.forName(
                    "dev.mooring.plugin.csi.GrpcConnector",
                    true,
                    CsiConnector.class.getClassLoader())
                .getConstructor()
                .newInstance();
  }

  @Override
  public CsiConnection connect(String endpoint, Duration timeout) {
    return bridge.connect(endpoint, timeout);
  }

  @Override
  public CsiConnection connect(String endpoint, Tls tls, Duration timeout) {
    return bridge.connect(endpoint, tls, timeout);
  }
}
