package dev.mooring.spi;

/** What the host offers a plugin. Thread-safe. */
public interface PluginContext {
  /**
   * A setting of the host's command line, {@code --plugin-setting NAME=VALUE}; the fallback where
   * it is not given. All settings are to be read in {@link VolumePlugin#start}: one that nobody has
   * read by then is taken for a mistake.
   */
  String setting(String name, String fallback);

  /** A logger under the plugin's name. */
  System.Logger logger();

  /**
   * The cluster, as far as the host lets plugins see it; {@link PluginCluster#NONE} where it does
   * not. The same for the plugin's whole life.
   */
  default PluginCluster cluster() {
    return PluginCluster.NONE;
  }
}
