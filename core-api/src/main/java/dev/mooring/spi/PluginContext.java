package dev.mooring.spi;

/** What the host offers a plugin. Thread-safe. */
public interface PluginContext {
  /**
   * A setting of the host's command line, for example {@code enable-hostpath-provisioner}; the
   * fallback where it is not given.
   */
  String setting(String name, String fallback);

  /** A logger under the plugin's name. */
  System.Logger logger();
}
