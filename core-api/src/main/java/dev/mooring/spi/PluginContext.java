package dev.mooring.spi;

/** Services that the host provides to a plugin. Thread-safe. */
public interface PluginContext {
  /**
   * Returns a setting from {@code --plugin-setting NAME=VALUE}, or the fallback if it is not set.
   * Read all settings in {@link VolumePlugin#start}: the host reports a setting that no plugin
   * reads there as an error.
   */
  String setting(String name, String fallback);

  /** Returns a logger named after the plugin. */
  System.Logger logger();

  /**
   * Returns the plugin's access to the cluster; {@link PluginCluster#NONE} if the host grants none.
   * Always returns the same object.
   */
  default PluginCluster cluster() {
    return PluginCluster.NONE;
  }
}
