package bad.mooring.manager;

import bad.mooring.binder.decide.BadDecision;
import bad.mooring.plugin.evil.Backdoor;

/** R4, R10: looks into the binder, and is looked at by a plugin. */
public class BadManager {
  public BadDecision peek;
  public Backdoor back;
}
