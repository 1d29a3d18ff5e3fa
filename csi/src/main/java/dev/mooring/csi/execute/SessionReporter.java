package dev.mooring.csi.execute;

import dev.mooring.csi.state.DriverPace;
import dev.mooring.text.LogMessage;
import java.lang.System.Logger.Level;
import java.util.Map;

/** Logs the state of one driver. Thread-safe. */
record SessionReporter(String driver) {
  private static final System.Logger LOG = System.getLogger(SessionReporter.class.getName());

  void logReady(String version, Object capabilities) {
    LOG.log(
        Level.INFO,
        LogMessage.of("CSI driver is ready: " + capabilities)
            .with("driver", driver)
            .with("version", version));
  }

  void logUnusable(String reason) {
    LOG.log(Level.WARNING, () -> "CSI driver " + driver + " cannot be used: " + reason);
  }

  void logUnknownNodeSide(String answer) {
    LOG.log(
        Level.WARNING,
        () ->
            "CSI driver %s does not report the capabilities of its node service, so its volumes do not grow; retrying every minute: %s"
                .formatted(driver, answer));
  }

  void logUnknownCapacity(String className, Map<String, String> segment, String refusal) {
    LOG.log(
        Level.WARNING,
        LogMessage.of(
                "the CSI driver did not report the capacity of a segment; its CSIStorageCapacity stays as it is until a later call succeeds")
            .with("driver", driver)
            .with("class", className)
            .with("segment", segment)
            .with(LogMessage.ERR, refusal));
  }

  void logLimit(DriverPace.Limit limit) {
    LOG.log(
        Level.INFO,
        LogMessage.of(
                "the CSI driver refuses calls; Mooring limits its calls until the driver accepts them")
            .with("driver", driver)
            .with("method", limit.lane().method())
            .with("limit", limit));
  }
}
