package bad.mooring.plugin.evil;

import bad.mooring.manager.BadManager;

/** R4, R5, R12: a plugin that uses the host, with a second public class. */
public class Backdoor {
  public BadManager manager;
}
