package bad.mooring.manager.plugin;

import bad.mooring.spi.BadPromise;

/** R11: inherits a default method of the guarded type, so the plugin is never called. */
public class BadGuard implements BadPromise {
  @Override
  public String name() {
    return "bad";
  }
}
