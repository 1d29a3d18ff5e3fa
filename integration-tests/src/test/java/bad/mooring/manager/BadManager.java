package bad.mooring.manager;

import bad.mooring.binder.decide.BadDecision;
import bad.mooring.plugin.evil.Backdoor;

/** R4, R10: uses the inside of the binder, and a plugin uses it. */
public class BadManager {
  public BadDecision decision;
  public Backdoor plugin;
}
