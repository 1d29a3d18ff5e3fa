package dev.mooring.csi.execute;

import java.lang.System.Logger.Level;

/** Logs how one driver does. Thread-safe. */
record SessionReporter(String driver) {
  private static final System.Logger LOG = System.getLogger(SessionReporter.class.getName());

  void isReady(String version, Object abilities) {
    LOG.log(Level.INFO, () -> "CSI driver " + driver + " " + version + " is ready: " + abilities);
  }

  void cannotBeUsed(String why) {
    LOG.log(Level.WARNING, () -> "CSI driver " + driver + " cannot be used: " + why);
  }

  void saysNothingOfItsNodes(String answer) {
    LOG.log(
        Level.WARNING,
        () ->
            "CSI driver "
                + driver
                + " does not say what its node service can do, so its volumes do not grow;"
                + " it is asked again every minute: "
                + answer);
  }
}
