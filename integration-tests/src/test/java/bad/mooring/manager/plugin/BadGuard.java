package bad.mooring.manager.plugin;

import bad.mooring.spi.BadPromise;

/** R11: inherits a method of what it guards, so that the plugin is never asked. */
public class BadGuard implements BadPromise {
  @Override
  public String name() {
    return "bad";
  }
}
