package bad.mooring.plugin.evil;

import bad.mooring.manager.BadManager;

/** R4, R5, R12: a plugin that reaches into the host, through a second public class. */
public class Backdoor {
  public BadManager host;
}
